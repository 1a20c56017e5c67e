/** The output of a command: results go to standard output, everything else to standard error. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether standard error is an interactive terminal. */
  readonly interactive: boolean;
  /** Shows a prompt and waits for a line of the user. It rejects if the input ends. Absent where nobody can be asked. */
  readonly ask?: (prompt: string) => Promise<string>;
  /** Whether the user has asked to stop; the command then returns its results so far. Default: never. */
  readonly interrupted?: () => boolean;
}

/** The result of a command: a JSON document, the same as text, and its exit code. */
export interface Outcome {
  readonly json: unknown;
  readonly text: string;
  /** Whether the text is for a program, and printed to the last character. Default false: what could control a terminal is shown as `\u{…}`. */
  readonly isCode?: boolean;
  /** 0 done, 1 a yes/no property is false, 2 bad input, 3 not finished. */
  readonly exitCode?: 0 | 1 | 2 | 3;
}

/** Makes a command-line action from one of several commands, which are loaded together when it runs: `foreguard --help` loads none. */
export type Actions<Commands> = <Options>(
  choose: (commands: Commands) => (options: Options, terminal: Terminal) => Promise<Outcome>,
) => (options: Options & { readonly json?: boolean }) => Promise<void>;

/** A progress line on standard error, rewritten as work continues; nothing is shown for work that takes less than a second. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #started = Date.now();
  #shownAt = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(text: () => string): void {
    if (!this.#terminal.interactive) return;
    const now = Date.now();
    if (now - this.#started < 1000 || now - this.#shownAt < 100) return;
    this.#shownAt = now;
    this.#terminal.err(`\r\x1b[2K${text()}`);
  }

  clear(): void {
    if (this.#shownAt > 0) this.#terminal.err('\r\x1b[2K');
    this.#shownAt = 0;
  }
}

/**
 * Lines of a table: columns aligned, numbers to the right.
 *
 * @param rows cells by row; numbers must be formatted already, and a column counts as numeric if all its cells look like numbers
 */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const numeric = header.map(
    (_, column) => rows.length > 0 && rows.every((row) => /^[-\d.]/.test(row[column]) || row[column] === ''),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (numeric[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd();
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** `1 trace`, `2 traces`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** A number for people: up to 6 significant digits. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const rounded = Number(value.toPrecision(6));
  return Math.abs(rounded) < 1e-4 ? rounded.toExponential() : String(rounded);
}

/** A count of many things: up to 3 significant digits, `1.25 million`. */
export function formatCount(count: number): string {
  const [scale, unit] = count >= 1e6 ? [1e6, ' million'] : count >= 1e4 ? [1e3, ' thousand'] : [1, ''];
  return `${scale === 1 ? Math.round(count) : Number((count / scale).toPrecision(3))}${unit}`;
}
