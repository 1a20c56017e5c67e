import type { Window } from './formula.js';
import type { Token } from './token.js';
import type { TokenReader } from './tokenReader.js';
import { decimalAbove } from './window.js';

interface Bound {
  readonly text: string;
  readonly unit: 's' | 'ms' | null;
}

/** Reads the window after a temporal operator: `<=k`, `<k`, `>=k`, `>k`, `=k` or `[a,b]`; null if there is none. */
export function parseWindow(reader: TokenReader): Window | null {
  return parse(reader, parseBound);
}

/** Like `parseWindow`, but the bounds of `[a,b]` may be negative: that many steps, or that long, ago. */
export function parseWindowAroundNow(reader: TokenReader): Window | null {
  return parse(reader, (at) => {
    if (!at.take('-')) return parseBound(at);
    const { text, unit } = parseBound(at);
    return { text: /^[0.]*$/.test(text) ? text : `-${text}`, unit };
  });
}

function parse(reader: TokenReader, parseEnd: (reader: TokenReader) => Bound): Window | null {
  const first = reader.token;
  if (reader.take('[')) {
    const from = parseEnd(reader);
    reader.expect(',');
    const to = reader.token.text === 'inf' ? reader.advance() && null : parseEnd(reader);
    reader.expect(']');
    if (from.unit !== null && to !== null && to.unit !== null && from.unit !== to.unit) {
      throw reader.errorAt(
        first.place,
        `the window mixes ${from.unit} and ${to.unit}`,
        'one unit for both bounds',
      );
    }
    const window = checked(reader, first, from.text, to?.text ?? null, from.unit ?? to?.unit ?? 'steps');
    return window.unit !== 'steps' && (window.from === '0' || window.to === null)
      ? { ...window, interval: true }
      : window;
  }
  if (!reader.at('<=', '<', '>=', '>', '=')) return null;
  reader.advance();
  const { text, unit } = parseBound(reader);
  const shift = { '<': -1n, '>': 1n }[first.text] ?? 0n;
  if (shift !== 0n && unit !== null) {
    throw reader.errorAt(
      first.place,
      `a strict bound needs steps, not ${unit}`,
      `${first.text}=${text}${unit}`,
    );
  }
  const bound = shift !== 0n && /^\d+$/.test(text) ? String(BigInt(text) + shift) : text;
  if (first.text === '=') return checked(reader, first, bound, bound, unit ?? 'steps');
  const above = first.text === '>' || first.text === '>=';
  return checked(reader, first, above ? bound : '0', above ? null : bound, unit ?? 'steps');
}

function parseBound(reader: TokenReader): Bound {
  if (reader.at('-')) {
    throw reader.error(
      'the window reaches into the past',
      'a bound of 0 or more; O[0,a] p looks back, and eventually[-a,b](p) both ways',
    );
  }
  const text = reader.expectNumber('a number of steps, or a duration such as 10s');
  const { kind, text: unit } = reader.token;
  if (kind !== 'identifier' || (unit !== 's' && unit !== 'ms')) return { text, unit: null };
  reader.advance();
  return { text, unit };
}

function checked(
  reader: TokenReader,
  first: Token,
  from: string,
  to: string | null,
  unit: Window['unit'],
): Window {
  if (unit === 'steps' && ![from, to ?? '0'].every((bound) => /^-?\d+$/.test(bound))) {
    throw reader.errorAt(first.place, 'steps are whole numbers', 'a whole number, or a unit such as s');
  }
  if (to !== null && above(from, to)) {
    throw reader.errorAt(first.place, 'the window is empty', 'a lower bound that is not above the upper one');
  }
  return { from, to, unit };
}

/** Whether decimal `a` is above decimal `b`; both may be negative. */
function above(a: string, b: string): boolean {
  if (!b.startsWith('-')) return !a.startsWith('-') && decimalAbove(a, b);
  return !a.startsWith('-') || decimalAbove(b.slice(1), a.slice(1));
}
