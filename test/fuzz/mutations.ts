import fc from 'fast-check';

const EDITS = ['drop', 'double', 'swap', 'replace', 'insert', 'cut'] as const;

/** One of `texts` with some of its tokens left out, doubled, swapped, or replaced by others of the texts or of `also`. */
export function mutatedText(texts: readonly string[], also: readonly string[] = []): fc.Arbitrary<string> {
  const tokens = [...new Set(texts.flatMap(tokensOf).filter((token) => token.trim() !== '')), '\n', ...also];
  const edit = fc.tuple(fc.nat(), fc.constantFrom(...EDITS), fc.constantFrom(...tokens));
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 6 }))
    .map(([text, edits]) => {
      const parts = tokensOf(text);
      for (const [place, kind, token] of edits) {
        if (parts.length === 0) break;
        const at = place % parts.length;
        const other = (place * 7 + 3) % parts.length;
        if (kind === 'drop') parts.splice(at, 1);
        else if (kind === 'double') parts.splice(at, 0, parts[at]);
        else if (kind === 'swap') [parts[at], parts[other]] = [parts[other], parts[at]];
        else if (kind === 'replace') parts[at] = token;
        else if (kind === 'insert') parts.splice(at, 0, ` ${token} `);
        else if (place % 4 === 0) parts.length = at;
      }
      return parts.join('');
    });
}

function tokensOf(text: string): string[] {
  return text.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|"[^"\n]*"|\n *|[^\S\n]+|\S/g) ?? [];
}

/** What stands where a JSON value is expected, and should not. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  1,
  -1,
  0.5,
  2 ** 32,
  2 ** 53,
  1e300,
  '',
  'x',
  'rational',
  'double-interval',
  'string',
  [],
  {},
];

export interface JsonEdit {
  readonly place: number;
  /** Absent: the value is left out, with its key. */
  readonly value?: unknown;
}

export const jsonEdits: fc.Arbitrary<JsonEdit[]> = fc.array(
  fc.record({ place: fc.nat(), value: fc.constantFrom(...ODD_VALUES) }, { requiredKeys: ['place'] }),
  { maxLength: 3 },
);

/** A copy of a JSON document with some of its values left out or replaced. */
export function mutatedJson(document: unknown, edits: readonly JsonEdit[]): unknown {
  const copy = structuredClone(document);
  for (const { place, ...edit } of edits) {
    const places = placesIn(copy);
    if (places.length === 0) break;
    const { parent, key } = places[place % places.length];
    if ('value' in edit) parent[key] = structuredClone(edit.value);
    else delete parent[key];
  }
  return copy;
}

interface JsonPlace {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

function placesIn(value: unknown): JsonPlace[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key])]);
}
