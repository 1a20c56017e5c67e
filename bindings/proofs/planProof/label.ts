import type { ReaderSet } from './readers.js';

/** What is known of where data come from and who may read them: a point of the product of three lattices, with trusted, public data of no source at the bottom. */
export interface Label {
  /** The tools, inputs and questions that the data depend on, each with the flow rules for which all its data were endorsed. */
  readonly sources: ReadonlyMap<string, ReadonlySet<string>>;
  /** The sources that are not trusted; none: the data are trusted. */
  readonly untrusted: ReadonlySet<string>;
  /** Sets of readers: those who are in all of them may read the data. None: everyone. The user may read all. */
  readonly readers: readonly ReaderSet[];
}

const NO_RULES: ReadonlySet<string> = new Set();
const NONE: ReadonlySet<string> = new Set();

/** The source of what a plan says itself, if its author is not trusted. */
export const AUTHOR = 'the author of the plan';

/** Data that depend on nothing. */
export const BOTTOM: Label = { sources: new Map(), untrusted: NONE, readers: [] };

export function labelOf(parts: Partial<Label>): Label {
  return { ...BOTTOM, ...parts };
}

/** Data of one source. */
export function ofSource(source: string, isTrusted: boolean, readers: readonly ReaderSet[]): Label {
  return {
    sources: new Map([[source, NO_RULES]]),
    untrusted: isTrusted ? NONE : new Set([source]),
    readers: readers.map((set) => ({ ...set, of: new Set([source]) })),
  };
}

/** The label of data that depend on data of both labels. */
export function join(a: Label, b: Label): Label {
  if (isBelow(b, a)) return citing(a, b);
  if (isBelow(a, b)) return citing(b, a);
  const sources = new Map(a.sources);
  for (const [source, endorsed] of b.sources) {
    const known = sources.get(source);
    sources.set(source, known === undefined ? endorsed : common(known, endorsed));
  }
  const keys = new Set(a.readers.map(({ key }) => key));
  return {
    sources,
    untrusted: new Set([...a.untrusted, ...b.untrusted]),
    readers: [...citing(a, b).readers, ...b.readers.filter(({ key }) => !keys.has(key))],
  };
}

/** The label, with the sources of the other one beside those sets of readers that both have. */
function citing(label: Label, other: Label): Label {
  if (label === other || label.readers.length === 0 || other.readers.length === 0) return label;
  let hasMore = false;
  const readers = label.readers.map((set) => {
    const same = other.readers.find(({ key }) => key === set.key);
    if (same?.of === undefined || [...same.of].every((source) => set.of?.has(source))) return set;
    hasMore = true;
    return { ...set, of: new Set([...(set.of ?? []), ...same.of]) };
  });
  return hasMore ? { ...label, readers } : label;
}

export function joinAll(labels: readonly Label[]): Label {
  return labels.reduce(join, BOTTOM);
}

/** Whether `b` says all that `a` says. */
export function isBelow(a: Label, b: Label): boolean {
  if (a === b || a === BOTTOM) return true;
  for (const [source, endorsed] of a.sources) {
    const other = b.sources.get(source);
    if (other === undefined) return false;
    for (const rule of other) if (!endorsed.has(rule)) return false;
  }
  for (const source of a.untrusted) if (!b.untrusted.has(source)) return false;
  return a.readers.every(({ key }) => b.readers.some((one) => one.key === key));
}

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return a === b ? a : new Set([...a].filter((rule) => b.has(rule)));
}

/** The label of what went through a tool that endorses data for these rules. */
export function endorsed(label: Label, rules: readonly string[]): Label {
  if (rules.length === 0) return label;
  const sources = new Map<string, ReadonlySet<string>>();
  for (const [source, before] of label.sources) sources.set(source, new Set([...before, ...rules]));
  return { ...label, sources };
}

/** The label without the remark that sources are not trusted. */
export function trusted(label: Label): Label {
  return label.untrusted.size === 0 ? label : { ...label, untrusted: NONE };
}
