import type { ExpressionNode } from '../../languages/expression/index.js';
import { type Json, type PlanExpression, parsed, type Value } from '../workflow/index.js';
import { BOTTOM, join, type Label } from './label.js';
import { elementOf, everywhere, type Labels, labelsAt, ofList, ofRecord, whole } from './labels.js';
import { isSaid } from './said.js';
import { constantOf, folded, instantiate, NOWHERE, partOf, symbol, type Term, termOf } from './terms.js';
import { type SymbolTypes, typeOfTerm } from './termTypes.js';

/** What is known of a value: how it comes about, and the labels of its parts. */
export interface Abstract {
  readonly term: Term;
  readonly labels: Labels;
}

/** Says that a plan reads a name that it has not given, or has given in other steps. */
export class UnknownName extends Error {
  readonly unknown: string;
  constructor(unknown: string) {
    super(`there is no name "${unknown}" here`);
    this.unknown = unknown;
  }
}

/** The names of a plan with what is known of their values, and the values of what reads them. */
export class Names {
  readonly #values = new Map<string, Abstract>();
  /** What names were before they were given, in order. */
  readonly #before: (readonly [string, Abstract | undefined])[] = [];
  readonly #literal: Labels;

  readonly #types: SymbolTypes;
  readonly #words: string | null;

  /**
   * @param literal the label of what the plan says itself
   * @param words the user's words, of which that is not so; null: none
   */
  constructor(literal: Label, types: SymbolTypes, words: string | null = null) {
    this.#literal = everywhere(literal);
    this.#types = types;
    this.#words = words;
  }

  /** Whether data that stand in the plan are trusted. */
  isTrusted(value: Json): boolean {
    return this.#literal.here.untrusted.size === 0 || (this.#words !== null && isSaid(value, this.#words));
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get(name: string): Abstract {
    const value = this.#values.get(name);
    if (value === undefined) throw new UnknownName(name);
    return value;
  }

  set(name: string, value: Abstract): void {
    this.#before.push([name, this.#values.get(name)]);
    this.#values.set(name, value);
  }

  /** Runs what gives names, and takes them away. */
  within<T>(work: () => T): T {
    const mark = this.#before.length;
    try {
      return work();
    } finally {
      for (const [name, value] of this.#before.splice(mark).reverse())
        if (value === undefined) this.#values.delete(name);
        else this.#values.set(name, value);
    }
  }

  /** @throws UnknownName; ParseError for an expression that is none */
  evaluate(value: Value): Abstract {
    switch (value.kind) {
      case 'literal':
        return {
          term: termOf(value.value),
          labels:
            this.#words !== null && isSaid(value.value, this.#words) ? everywhere(BOTTOM) : this.#literal,
        };
      case 'reference': {
        let { term, labels } = this.get(value.name);
        for (const key of value.path) {
          term = partOf(term, key);
          labels = labelsAt(labels, key, term);
        }
        return { term: folded(term), labels };
      }
      case 'list': {
        const items = value.of.map((one) => this.evaluate(one));
        return {
          term: { kind: 'list', elements: items.map(({ term }) => term), place: NOWHERE },
          labels: ofList(
            this.#literal.here,
            items.map(({ labels }) => labels),
          ),
        };
      }
      case 'record': {
        const fields = Object.entries(value.fields).map(([name, one]) => [name, this.evaluate(one)] as const);
        return {
          term: {
            kind: 'map',
            keys: fields.map(([name]) => termOf(name)),
            values: fields.map(([, { term }]) => term),
            place: NOWHERE,
          },
          labels: ofRecord(this.#literal.here, new Map(fields.map(([name, { labels }]) => [name, labels]))),
        };
      }
      case 'text':
        return this.#text(value.of.map((one) => this.evaluate(one)));
      case 'expression':
        return this.expression(value.expression);
    }
  }

  expression(expression: PlanExpression): Abstract {
    const { root } = parsed(expression);
    const label = join(this.#literal.here, this.#labelOf(root, new Map()));
    const term = folded(instantiate(root, (name) => this.get(name).term));
    return { term, labels: this.#isPath(root) ? this.#labelsOf(root, new Map()) : everywhere(label) };
  }

  #text(parts: readonly Abstract[]): Abstract {
    const label = parts.reduce((all, { labels }) => join(all, whole(labels)), this.#literal.here);
    const term = parts
      .map((part) => this.#written(part.term))
      .reduce<Term>(
        (left, right) => folded({ kind: 'binary', operator: '+', left, right, place: NOWHERE }),
        termOf(''),
      );
    return { term, labels: everywhere(label) };
  }

  /** A part of a text as it is written. How numbers are written is not followed: of the text of one it is only known that it is always the same. */
  #written(term: Term): Term {
    const constant = constantOf(term)?.value;
    if (typeof constant === 'number' || typeof constant === 'boolean') return termOf(String(constant));
    if (typeof constant === 'string' || typeOfTerm(term, this.#types).kind === 'text') return term;
    return { kind: 'index', object: WRITTEN, index: term, place: NOWHERE };
  }

  #isPath(node: ExpressionNode): boolean {
    return node.kind === 'name' || (node.kind === 'field' && this.#isPath(node.object));
  }

  /** The label of the value of an expression. */
  #labelOf(node: ExpressionNode, bound: ReadonlyMap<string, Labels>): Label {
    switch (node.kind) {
      case 'literal':
        return BOTTOM;
      case 'name':
      case 'field':
      case 'index':
        return whole(this.#labelsOf(node, bound));
      case 'has':
        return this.#labelsOf(node.object, bound).here;
      case 'call':
        if (node.function === 'size') return this.#labelsOf(node.arguments[0], bound).here;
        return this.#joined(node.arguments, bound);
      case 'macro': {
        const list = this.#labelsOf(node.list, bound);
        const inner = new Map(bound).set(node.variable, elementOf(list, null));
        const ofList = node.macro === 'filter' ? whole(list) : list.here;
        return join(ofList, this.#labelOf(node.body, inner));
      }
      case 'list':
        return this.#joined(node.elements, bound);
      case 'map':
        return this.#joined([...node.keys, ...node.values], bound);
      case 'unary':
        return this.#labelOf(node.operand, bound);
      case 'binary':
        return this.#joined([node.left, node.right], bound);
      case 'logical':
        return this.#joined(node.operands, bound);
      case 'conditional':
        return this.#joined([node.condition, node.whenTrue, node.whenFalse], bound);
    }
  }

  #joined(nodes: readonly ExpressionNode[], bound: ReadonlyMap<string, Labels>): Label {
    return nodes.reduce((all, one) => join(all, this.#labelOf(one, bound)), BOTTOM);
  }

  /** Labels of a path of names, fields and elements; of another expression one label for all parts. */
  #labelsOf(node: ExpressionNode, bound: ReadonlyMap<string, Labels>): Labels {
    if (node.kind === 'name') return bound.get(node.name) ?? this.get(node.name).labels;
    if (node.kind === 'field') {
      const object = this.#labelsOf(node.object, bound);
      return labelsAt(object, node.field, termOf(null));
    }
    if (node.kind === 'index') {
      const label = join(whole(this.#labelsOf(node.object, bound)), this.#labelOf(node.index, bound));
      return everywhere(label);
    }
    return everywhere(this.#labelOf(node, bound));
  }
}

/** Stands for the function from values to texts. */
const WRITTEN = symbol('written as a text');
