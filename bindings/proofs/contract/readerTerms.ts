import { isScalar, isSeq, type Node } from 'yaml';
import { ParseError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { type ExpressionNode, parseExpression, printExpression } from '../../languages/expression/index.js';
import type { SpecificationDocument } from '../../rules/specification/index.js';
import type { ReaderTerm } from './contract.js';
import { describeType } from './describeType.js';
import { isOfFormat } from './formats.js';
import type { ValueType } from './valueType.js';

const EXPECTED =
  'everyone, nobody, the name of a group of readers, an address, an argument such as to, a part of the result such as r.from, or several of these with +';

/** What a term may speak of beside groups: arguments by name, and `result`, of which `r` is the element where it is a list. */
export interface Spoken {
  readonly arguments: ReadonlyMap<string, ValueType>;
  readonly result: ValueType | null;
}

/** Reads who may read. `nobody` is null. */
export class ReaderTerms {
  readonly #document: SpecificationDocument;
  readonly #groups: readonly string[];

  constructor(document: SpecificationDocument, groups: readonly string[]) {
    this.#document = document;
    this.#groups = groups;
  }

  /** @returns undefined after a problem */
  read(node: Node | null, what: string, spoken: Spoken): ReaderTerm | null | undefined {
    if (isSeq(node)) {
      const terms = (node.items as Node[]).map((item) => this.read(item, what, spoken));
      return terms.includes(undefined) ? undefined : unionOf(terms as (ReaderTerm | null)[]);
    }
    const text = this.#document.text(node, what);
    if (text === undefined) return undefined;
    // An address is no expression.
    if (isOfFormat(text.trim(), 'email')) return { kind: 'names', of: [text.trim()] };
    return this.#document.attempt(node, () => {
      const parsed = parseExpression(text, { name: what });
      return new TermReader(what, this.#groups, spoken).read(parsed.root);
    });
  }
}

class TermReader {
  readonly #name: string;
  readonly #groups: readonly string[];
  readonly #spoken: Spoken;

  constructor(name: string, groups: readonly string[], spoken: Spoken) {
    this.#name = name;
    this.#groups = groups;
    this.#spoken = spoken;
  }

  read(node: ExpressionNode): ReaderTerm | null {
    switch (node.kind) {
      case 'literal':
        if (typeof node.value === 'string') return { kind: 'names', of: [node.value] };
        return this.#fail(node, `found ${String(node.value)}, expected ${EXPECTED}`);
      case 'list':
        return unionOf(node.elements.map((element) => this.read(element)));
      case 'binary':
        if (node.operator === '+') return unionOf([this.read(node.left), this.read(node.right)]);
        return this.#fail(node, `found the operator ${node.operator}, expected ${EXPECTED}`);
      case 'name':
        return this.#word(node.name, node);
      case 'field':
        return this.#value(node);
      default:
        return this.#fail(node, `found ${printExpression({ name: '', root: node })}, expected ${EXPECTED}`);
    }
  }

  #word(name: string, node: ExpressionNode): ReaderTerm | null {
    if (name === 'everyone') return { kind: 'everyone' };
    if (name === 'nobody') return null;
    const isArgument = this.#spoken.arguments.has(name);
    if (this.#groups.includes(name)) {
      if (!isArgument) return { kind: 'group', name };
      this.#fail(
        node,
        `found "${name}", which is both a group of readers and an argument; give the group another name`,
      );
    }
    return this.#value(node);
  }

  /** The reader, or the readers, that a value is. */
  #value(node: ExpressionNode): ReaderTerm {
    const { path, type } = this.#pathOf(node);
    const readers = type.kind === 'list' ? type.of : type;
    if (!isName(readers))
      this.#fail(
        node,
        `found ${printExpression({ name: '', root: node })}, which is ${describeType(type)}; expected a text, or a list of texts: readers are named by texts`,
      );
    return { kind: 'value', path };
  }

  #pathOf(node: ExpressionNode): { readonly path: readonly string[]; readonly type: ValueType } {
    const { result } = this.#spoken;
    if (node.kind === 'field') {
      const { path, type } = this.#pathOf(node.object);
      if (type.kind === 'any') return { path: [...path, node.field], type };
      const fields = type.kind === 'record' ? type.fields : {};
      if (Object.hasOwn(fields, node.field))
        return { path: [...path, node.field], type: fields[node.field].type };
      const nearest = nearestName(node.field, Object.keys(fields));
      this.#fail(
        node,
        `found the field "${node.field}", which ${printExpression({ name: '', root: node.object })} has not; ${nearest === undefined ? `it is ${describeType(type)}` : `did you mean "${nearest}"?`}`,
      );
    }
    if (node.kind !== 'name')
      this.#fail(node, `found ${printExpression({ name: '', root: node })}, expected ${EXPECTED}`);
    const type = this.#spoken.arguments.get(node.name);
    if (node.name === 'result' && result === null && type !== undefined)
      this.#fail(
        node,
        'found "result", which names the result of a call; readers cannot be those of an argument of this name',
      );
    if (type !== undefined && !(result !== null && (node.name === 'result' || node.name === 'r')))
      return { path: [node.name], type };
    if (result !== null && node.name === 'result') return { path: ['result'], type: result };
    if (result !== null && node.name === 'r')
      return result.kind === 'list'
        ? { path: ['result', '*'], type: result.of }
        : { path: ['result'], type: result };
    const known = [
      ...this.#groups,
      ...this.#spoken.arguments.keys(),
      'everyone',
      'nobody',
      ...(result === null ? [] : ['result', 'r']),
    ];
    const nearest = nearestName(node.name, known);
    this.#fail(
      node,
      `found "${node.name}", which is neither a group of readers nor an argument; ${nearest === undefined ? `known: ${known.join(', ')}` : `did you mean "${nearest}"?`}`,
    );
  }

  #fail({ place: { line, column } }: ExpressionNode, message: string): never {
    throw new ParseError(message, { source: this.#name, line, column });
  }
}

function isName(type: ValueType): boolean {
  return type.kind === 'any' || type.kind === 'text' || (type.kind === 'either' && type.of.every(isName));
}

function unionOf(terms: readonly (ReaderTerm | null)[]): ReaderTerm | null {
  const of = terms.flatMap((term) => (term === null ? [] : term.kind === 'union' ? term.of : [term]));
  if (of.some(({ kind }) => kind === 'everyone')) return { kind: 'everyone' };
  if (of.length < 2) return of[0] ?? null;
  return { kind: 'union', of };
}

/** Whether a scalar says that a key is given without a value. */
export function isNothing(node: Node | null | undefined): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}
