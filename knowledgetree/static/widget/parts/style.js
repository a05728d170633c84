// The look. Sizes follow the browser's text size and not the host page's; colours are those of the readers' pages.

const DARK = `
  --page: #141715; --surface: #1c201e; --ink: #e7ebe8; --muted: #9caaa2; --line: #2d3430;
  --link: #7bcfa5; --soft: #1f3a2d; --warning: #f0b878; --warning-soft: #3a2a16; color-scheme: dark !important;
`;

const STYLE = `
:host {
  --page: #faf9f5; --surface: #ffffff; --ink: #1c211e; --muted: #59635d; --line: #e2dfd5;
  --link: #1f6b4a; --soft: #e2efe7; --warning: #8a4b0b; --warning-soft: #fbeedd;
  --accent: #1f6b4a; --accent-ink: #ffffff;
  /* What the host page says of its elements in general must not reach this one, and would be stronger. */
  all: initial !important; display: block !important; color-scheme: light !important;
  position: fixed !important; z-index: 2147483000 !important; inset: auto 1.25em 1.25em auto !important;
  font: max(16px, 1rem)/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif !important;
}
:host([data-position="left"]) { inset: auto auto 1.25em 1.25em !important; }
:host([data-theme="dark"]) { ${DARK} }
@media (prefers-color-scheme: dark) { :host(:not([data-theme="light"])) { ${DARK} } }

*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
p, ul, ol, blockquote, h2, h3 { margin: 0; padding: 0; }
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; }
a { color: var(--link); text-underline-offset: 0.18em; }
svg { width: 1.25em; height: 1.25em; fill: none; stroke: currentcolor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.launcher { display: flex; align-items: center; gap: 0.5em; padding: 0.75em 1.15em; border: 0; border-radius: 2em; background: var(--accent); color: var(--accent-ink); font-weight: 600; box-shadow: 0 2px 6px rgb(0 0 0 / 18%), 0 8px 28px rgb(0 0 0 / 14%); }
.launcher:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }

dialog { display: none; position: fixed; inset: auto 1.25em 1.25em auto; width: min(26em, calc(100vw - 2.5em)); height: min(40em, calc(100dvh - 2.5em)); max-width: none; max-height: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 1em; background: var(--page); color: var(--ink); box-shadow: 0 12px 48px rgb(0 0 0 / 22%); overflow: hidden; }
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: rgb(0 0 0 / 40%); }
:host([data-position="left"]) dialog { inset: auto auto 1.25em 1.25em; }

.head { display: flex; align-items: center; gap: 0.25em; padding: 0.55em 0.55em 0.55em 1em; background: var(--accent); color: var(--accent-ink); }
.head h2 { flex: 1; min-width: 0; font-size: 1em; font-weight: 650; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.head button { display: grid; place-items: center; width: 2.5em; height: 2.5em; padding: 0; border: 0; border-radius: 0.6em; background: none; }
.head button:hover { background: rgb(128 128 128 / 30%); }
.head :focus-visible { outline-color: currentcolor; outline-offset: -3px; }

.log { flex: 1; border-bottom: 1px solid var(--line); min-height: 0; overflow-y: auto; padding: 1em; overscroll-behavior: contain; }
.greeting { white-space: pre-line; }
.offers { display: flex; flex-wrap: wrap; gap: 0.5em; margin-top: 0.75em; }
.offers h3 { flex-basis: 100%; font-size: 0.85em; font-weight: 600; color: var(--muted); }
.offers button, .again { padding: 0.4em 0.8em; border: 1px solid var(--line); border-radius: 1em; background: var(--surface); text-align: left; font-size: 0.9em; }
.offers button:hover, .again:hover { border-color: var(--link); }
.again { margin-top: 0.6em; }

article + article, .intro + article { margin-top: 1.5em; }
article:last-child { min-height: 100%; }
.question { width: fit-content; max-width: 90%; margin: 0 0 0.9em auto; padding: 0.55em 0.9em; border-radius: 1em 1em 0.25em 1em; background: var(--soft); overflow-wrap: anywhere; white-space: pre-line; }
.progress { margin-top: 0.4em; color: var(--muted); }
.progress::after { content: ""; display: inline-block; width: 0.5em; height: 0.5em; margin-left: 0.5em; border-radius: 50%; background: currentcolor; animation: pulse 1.2s infinite; }
@keyframes pulse { 50% { opacity: 0.2; } }
.text { overflow-wrap: anywhere; }
.text > * + *, .text li + li, .text li > * + * { margin-top: 0.6em; }
.text ul, .text ol { padding-left: 1.4em; }
.text .heading { font-weight: 650; }
.text blockquote { padding-left: 0.8em; border-left: 3px solid var(--line); color: var(--muted); }
.text code { font: 0.9em ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; }
.text pre, .table { max-width: 100%; padding: 0.5em; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5em; background: var(--surface); }
table { border-collapse: collapse; font-size: 0.9em; }
th, td { padding: 0.25em 0.6em; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.chip { display: inline-grid; place-items: center; min-width: 1.6em; height: 1.6em; padding: 0 0.35em; border-radius: 0.8em; background: var(--soft); color: var(--link); font-size: 0.75em; font-weight: 650; line-height: 1; text-decoration: none; vertical-align: 0.12em; }
a.chip:hover { background: var(--link); color: var(--page); }
.none { font-weight: 600; }
.notice { margin-bottom: 0.7em; padding: 0.55em 0.8em; border-radius: 0.6em; background: var(--soft); font-size: 0.9em; }
.warning, .failure { margin: 0.7em 0 0; padding: 0.6em 0.85em; border-radius: 0.6em; background: var(--warning-soft); color: var(--warning); font-size: 0.9em; }
.warning h3 { font-size: 1em; }
.warning ul { padding-left: 1.2em; }

details { margin-top: 0.7em; font-size: 0.9em; }
summary { width: fit-content; cursor: pointer; color: var(--muted); font-weight: 600; }
.assurance.is-sure summary { color: var(--link); }
.assurance.is-check summary { color: var(--warning); }
.sources, .places { margin-top: 0.5em; list-style: none; }
.sources li, .places li { padding: 0.6em 0; border-top: 1px solid var(--line); }
.place { color: var(--muted); font-size: 0.92em; }
.sources blockquote { margin-top: 0.3em; padding-left: 0.7em; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
.judge { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4em; margin-top: 0.7em; color: var(--muted); font-size: 0.88em; }
.judge button { display: grid; place-items: center; width: 2.2em; height: 2.2em; padding: 0; border: 1px solid transparent; border-radius: 0.6em; background: none; }
.judge button:hover { border-color: var(--line); }
.judge button[aria-pressed="true"] { background: var(--soft); color: var(--link); }

form { display: flex; align-items: flex-end; gap: 0.5em; margin: 0.5em 0.75em 0; padding: 0.4em; border: 1px solid var(--line); border-radius: 1em; background: var(--surface); }
form:focus-within { outline: 2px solid var(--link); }
textarea { flex: 1; min-width: 0; max-height: 8em; padding: 0.45em 0.5em; border: 0; background: none; resize: none; field-sizing: content; }
textarea:focus-visible { outline: none; }
textarea::placeholder { color: var(--muted); opacity: 1; }
form button { display: grid; place-items: center; flex: none; width: 2.4em; height: 2.4em; padding: 0; border: 0; border-radius: 0.7em; background: var(--accent); color: var(--accent-ink); }
.caution { margin: 0.5em 1em 0.75em; color: var(--muted); font-size: 0.78em; text-align: center; }

@media (max-width: 30rem) {
  dialog, :host([data-position="left"]) dialog { inset: 0; width: 100vw; height: 100dvh; border: 0; border-radius: 0; }
  textarea { font-size: max(1em, 16px); }
}
@media (prefers-reduced-motion: reduce) { * { animation: none !important; } }
@media print { :host { display: none !important; } }
`;

/** A sheet that a strict policy of the host page allows: no element and no attribute carries a style. */
export function styleSheet() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  return sheet;
}

/** The host's own colour, with black or white on it, whichever is read better (WCAG 2.2, relative luminance). */
export function paint(host, colour) {
  if (!/^#[0-9a-f]{6}$/i.test(colour ?? "")) return;
  const [red, green, blue] = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16) / 255));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  host.style.setProperty("--accent", colour);
  host.style.setProperty("--accent-ink", luminance > 0.179 ? "#000000" : "#ffffff");
}

const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
