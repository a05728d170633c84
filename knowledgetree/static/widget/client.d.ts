/** Types of client.js, KnowledgeTree's client for JavaScript. */

export interface Options {
  /** Address of the installation, such as https://wiedza.example.pl. */
  server: string;
  /** Public identifier of a widget; the client then speaks as a visitor of the page that it runs on. */
  widget?: string;
  /** An API key, for programs on servers. Never put one into a page. */
  key?: string;
  /** Of messages; the answer is in the language of the question. */
  language?: Language;
  fetch?: typeof globalThis.fetch;
}

export type Language = "pl" | "en";

/** The page that the reader is on. It helps to word an answer, and is never a source. */
export interface Page {
  title?: string;
  url?: string;
  text?: string;
}

export interface AskOptions {
  /** `conversation_id` of the event `saved`, to ask on. */
  conversation?: string;
  page?: Page;
  signal?: AbortSignal;
}

/** With an API key: what `POST /api/ask` takes besides. A widget has its assistant. */
export interface KeyAskOptions extends AskOptions {
  assistant?: string;
  preset?: string;
  filters?: Record<string, unknown>;
  top_k?: number;
}

export interface Citation {
  /** The n of `[n]` in the text. */
  number: number;
  title: string;
  /** Opens the document with the quote marked; empty where there is no page to open. */
  url: string;
  /** Exactly what stands there. */
  quote: string;
  origin: "document" | "web";
  heading_path: string[];
  line_start: number;
  line_end: number;
  page_start: number | null;
  page_end: number | null;
  [member: string]: unknown;
}

export interface Notice {
  code: string;
  message: string;
  /** What `url` asks instead; empty where there is nothing to ask. */
  link: string;
  url: string;
}

export interface NearSection {
  document_id: number;
  title: string;
  headings: string[];
  url: string;
}

export interface Assurance {
  level: "sure" | "probable" | "check";
  words: string;
  meaning: string;
}

export interface Statement {
  title: string;
  quote: string;
  value: string;
  [member: string]: unknown;
}

export interface Contradiction {
  subject: string;
  first: Statement;
  second: Statement;
  [member: string]: unknown;
}

export type Outcome = "answered" | "not_found" | "not_certain" | "passages_only" | "direct";

export interface Answer {
  question: string;
  /** A follow-up as it was understood, or a foreign question in the documents' language; else empty. */
  searched: string;
  /** Markdown with `[n]` after each claim. */
  text: string;
  outcome: Outcome;
  language: string;
  citations: Citation[];
  notices: Notice[];
  nearest_sections: NearSection[];
  /** Of widgets alone: how sure the answer is, in words; null where the sources answer nothing. */
  assurance?: Assurance | null;
  /** Of widgets alone: where the sources do not agree. */
  contradictions?: Contradiction[];
  /** With an API key there is more: all that `POST /api/ask` tells. */
  [member: string]: unknown;
}

export interface WholeAnswer extends Answer {
  /** What may be asked next. */
  topics: string[];
  /** To ask on; empty where nothing is kept. */
  conversation: string;
  /** To judge the answer; empty where nothing is kept. */
  exchange: string;
}

export type Event =
  | { name: "started"; question: string; trace_id: string }
  | { name: "delta"; text: string }
  | { name: "citation"; citation: Citation }
  | { name: "notice"; notice: Notice }
  /** The pieces so far are withdrawn: a better draft begins. */
  | { name: "revised" }
  | { name: "completed"; answer: Answer; topics: string[] }
  | { name: "saved"; conversation_id: string; exchange_id: string }
  /** After `completed` alone: the answer stands, and could not be kept. */
  | { name: "failed"; code: string; message: string; remedy: string; retryable: boolean }
  /** With an API key alone. */
  | { name: "step"; step: Record<string, unknown> }
  | { name: "retrieved"; passages: Passage[]; corrections: Record<string, unknown>[] };

export interface Passage {
  document_id: number;
  title: string;
  text: string;
  relevance: number;
  heading_path: string[];
  [member: string]: unknown;
}

export interface Session {
  token: string;
  expires_in: number;
  continued: boolean;
  name: string;
  greeting: string;
  suggestions: string[];
}

export type Verdict = "good" | "bad";

export class KnowledgeTreeError extends Error {
  constructor(problem: {
    code: string;
    message: string;
    remedy?: string;
    status?: number;
    retryable?: boolean;
    wait?: number;
    cause?: unknown;
  });
  /** For programs: that of the API, or `unreached` and `lost` where there was no answer of the server. */
  readonly code: string;
  /** What a person can do about it; may be empty. */
  readonly remedy: string;
  /** HTTP status; 0 where there was none. */
  readonly status: number;
  readonly retryable: boolean;
  /** Seconds to wait; 0 where waiting does not help. */
  readonly wait: number;
}

export class KnowledgeTree {
  constructor(options: Options);
  readonly server: string;
  language: Language;
  ask(question: string, options?: AskOptions | KeyAskOptions): AsyncGenerator<Event, void, undefined>;
  answer(question: string, options?: AskOptions | KeyAskOptions): Promise<WholeAnswer>;
  search(query: string, options?: { topK?: number; signal?: AbortSignal }): Promise<Passage[]>;
  feedback(exchange: string, verdict: Verdict, options?: { comment?: string; signal?: AbortSignal }): Promise<void>;
  session(): Promise<Session>;
}

/** Events of a response with `text/event-stream`. */
export function eventsOf(response: Response, signal?: AbortSignal): AsyncGenerator<Event, void, undefined>;
