// Server-sent events over fetch: EventSource can neither POST nor be told from a retry.

const SILENCE = 45_000; // milliseconds; three signs of life of the server

/** Yields { name, fields } for each event of `response`; comments are skipped. Throws where the connection is lost. */
export async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  try {
    for (;;) {
      const { value, done } = await withinSilence(reader.read());
      if (done) return;
      buffer += value;
      const blocks = buffer.split("\n\n");
      buffer = blocks.pop();
      for (const block of blocks) {
        const event = parsed(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A cable that was pulled out says nothing: neither an end nor an error. */
function withinSilence(read) {
  let timer;
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("silence")), SILENCE);
  });
  return Promise.race([read, silence]).finally(() => clearTimeout(timer));
}

function parsed(block) {
  const lines = block.split("\n");
  const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
  const fields = lines.find((line) => line.startsWith("data: "))?.slice(6);
  return name && fields ? { name, fields: JSON.parse(fields) } : null;
}
