import type { KeptStep } from '../../runtime/enforcement/index.js';

// A run that goes on has a file of lines, each of them whole or, after a crash, the last one torn:
//   {"id":"…"}  {"place":0,"step":{…}}  {"place":0}  {"notRecorded":{…}}  {"complete":true}
// The last line for a place counts; one without a step takes it away. `complete` is there once the run has ended.

/** The trace of a run as far as its lines tell it. */
export interface RunningTrace {
  readonly id: string;
  /** Whether the run came to its end; null if it has not ended. */
  readonly complete: boolean | null;
  /** The trace as a line of a file of traces, without its line break. */
  readonly line: string;
}

export function beginLine(id: string): string {
  return `{"id":${JSON.stringify(id)}}\n`;
}

export function stepLines(
  place: number,
  step: KeptStep | null,
  notRecorded: Readonly<Record<string, string>>,
): string {
  const lacking =
    Object.keys(notRecorded).length > 0 ? `{"notRecorded":${JSON.stringify(notRecorded)}}\n` : '';
  return step === null ? `{"place":${place}}\n` : `${lacking}{"place":${place},"step":${jsonText(step)}}\n`;
}

export function endLine(complete: boolean): string {
  return `{"complete":${complete}}\n`;
}

/** Makes a trace of the lines of a run; null if they have no step. A line that is torn, and what follows it, do not count. */
export function runningTrace(text: string): RunningTrace | null {
  let id: string | undefined;
  let complete: boolean | null = null;
  const steps: string[] = [];
  const notRecorded: Record<string, string> = {};
  const lines = text.split('\n');
  // What follows the last line break is torn, or nothing.
  for (const line of lines.slice(0, -1)) {
    const read = readLine(line);
    if (read === undefined) break;
    if (read.id !== undefined) id = read.id;
    if (read.complete !== undefined) complete = read.complete;
    if (read.place !== undefined) {
      steps.length = Math.min(steps.length, read.place);
      // The text itself, since numbers beyond the doubles do not survive being read.
      if (read.step !== undefined) steps.push(line.slice(`{"place":${read.place},"step":`.length, -1));
    }
    Object.assign(notRecorded, read.notRecorded);
  }
  if (id === undefined || steps.length === 0) return null;
  const lacking = Object.keys(notRecorded).length > 0 ? `,"notRecorded":${JSON.stringify(notRecorded)}` : '';
  return {
    id,
    complete,
    line: `{"id":${JSON.stringify(id)},"complete":${complete ?? false}${lacking},"steps":[${steps.join(',')}]}`,
  };
}

interface Line {
  readonly id?: string;
  readonly place?: number;
  readonly step?: object;
  readonly notRecorded?: Readonly<Record<string, string>>;
  readonly complete?: boolean;
}

function readLine(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}

/** JSON of plain data, with infinity as readers of traces take it. */
function jsonText(value: unknown): string {
  if (value === Number.POSITIVE_INFINITY) return '1e999';
  if (value === Number.NEGATIVE_INFINITY) return '-1e999';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, field]) => `${JSON.stringify(key)}:${jsonText(field)}`)
    .join(',')}}`;
}
