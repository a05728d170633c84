// Server-sent events over fetch: EventSource can neither POST nor be told from a retry.

/** Yields { name, fields } for each event of `response`; comments are skipped. */
export async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
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

function parsed(block) {
  const lines = block.split("\n");
  const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
  const fields = lines.find((line) => line.startsWith("data: "))?.slice(6);
  return name && fields ? { name, fields: JSON.parse(fields) } : null;
}
