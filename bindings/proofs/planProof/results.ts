import type { ReaderTerm, ResultContract, ResultPart, ToolContract } from '../contract/index.js';
import { BOTTOM, endorsed, join, type Label, ofSource } from './label.js';
import { type Labels, mapped, raised } from './labels.js';
import type { Prover } from './prover.js';
import { type ReaderContext, type ReaderSet, resolveReaders, speaksOfElements } from './readers.js';
import type { Term } from './terms.js';

/** What the labels of a result are made of. */
export interface ResultParts {
  readonly tool: ToolContract;
  /** The result, as a symbol. */
  readonly result: Term;
  argument(name: string): Term | undefined;
  /** The labels of all arguments, of the stores that are read, and of what decided that the call is made. */
  readonly given: Label;
  /** Flow rules for which the tool endorses what goes through it. */
  readonly endorses: readonly string[];
  readonly prover: Prover;
}

/** The labels of the result of a call and of its parts. */
export function resultLabels(parts: ResultParts): Labels {
  const { tool, given, endorses } = parts;
  const own = tool.pure ? sourceAlone(tool.name) : declared(parts);
  const labels = raised(own, given);
  return endorses.length === 0 ? labels : mapped(labels, (label) => endorsed(label, endorses));
}

function sourceAlone(name: string): Labels {
  return { here: ofSource(name, true, []) };
}

function declared(parts: ResultParts): Labels {
  const { result } = parts.tool;
  const here = (element: Term | null) => labelFrom(parts, result, element);
  const isApart = speaksOfElements(result.readers);
  const ofList = result.parts.filter(({ path }) => path[0] === '*');
  const fields = result.parts.filter(({ path }) => path[0] !== '*');
  const labels = withParts(parts, here(null), fields, null);
  if (!isApart && ofList.length === 0) return labels;
  return {
    ...labels,
    isApart,
    element: (element) =>
      withParts(
        parts,
        here(element),
        ofList.map((part) => ({ ...part, path: part.path.slice(1) })),
        element,
      ),
  };
}

function labelFrom(
  { tool, argument, result, prover }: ResultParts,
  contract: ResultContract,
  element: Term | null,
): Label {
  const context: ReaderContext = { argument, result, element };
  return ofSource(tool.name, contract.integrity === 'trusted', readersOf(contract.readers, context, prover));
}

function readersOf(term: ReaderTerm | null, context: ReaderContext, prover: Prover): readonly ReaderSet[] {
  const readers = resolveReaders(term, context, prover);
  return readers === 'everyone' ? [] : [readers];
}

/** A label with those of parts, of which each says only what differs. */
function withParts(parts: ResultParts, here: Label, of: readonly ResultPart[], element: Term | null): Labels {
  const own = of.find(({ path }) => path.length === 0);
  const label = own === undefined ? here : changed(parts, here, own, element);
  const names = new Set(of.flatMap(({ path }) => path.slice(0, 1)));
  if (names.size === 0) return { here: label };
  const below = (name: string) =>
    of.filter(({ path }) => path[0] === name).map((part) => ({ ...part, path: part.path.slice(1) }));
  const fields = new Map(
    [...names]
      .filter((name) => name !== '*')
      .map((name) => [name, withParts(parts, label, below(name), element)]),
  );
  const inner = names.has('*') ? withParts(parts, label, below('*'), null) : null;
  // Fields of which nothing is said have the label of the whole.
  return {
    here: label,
    ...(fields.size > 0 && { fields }),
    ...(inner && { element: () => inner }),
  };
}

function changed(
  { tool, argument, result, prover }: ResultParts,
  label: Label,
  part: ResultPart,
  element: Term | null,
): Label {
  const isTrusted = part.integrity === null ? label.untrusted.size === 0 : part.integrity === 'trusted';
  const readers =
    part.readers === null ? label.readers : readersOf(part.readers, { argument, result, element }, prover);
  return ofSource(tool.name, isTrusted, readers);
}

/** The label of several values together. */
export function together(labels: readonly Label[]): Label {
  return labels.reduce(join, BOTTOM);
}
