import { schemaOfType } from '../contract/index.js';
import type { Json, Plan, Step, Value } from './plan.js';

/** A plan in the flat JSON form. `readPlan` reads the same plan from it. Block ids are `main`, and `STEP.then`, `STEP.else`, `STEP.do`. */
export function flatPlan(plan: Plan): Json {
  const writer = new FlatWriter();
  writer.block('main', plan.steps);
  const inputs = Object.entries(plan.inputs).map(([name, type]) => ({
    name,
    schema: JSON.stringify(schemaOfType(type)),
  }));
  const { blocks, values } = writer;
  return { version: 1, goal: plan.goal, inputs, blocks, values };
}

class FlatWriter {
  readonly blocks: Json[] = [];
  readonly values: Json[] = [];

  /** Writes a block before those that its steps name. */
  block(id: string, steps: readonly Step[]): string {
    const written: Json[] = [];
    this.blocks.push({ id, steps: written });
    for (const step of steps)
      written.push({ id: step.id, kind: step.kind, note: step.note ?? null, ...this.#action(step) });
    return id;
  }

  #action(step: Step): { readonly [field: string]: Json } {
    const { id } = step;
    switch (step.kind) {
      case 'call': {
        const { tool, as = null, onError = null } = step;
        return { tool, arguments: this.#named(step.with), as, onError };
      }
      case 'ask': {
        const { question, as } = step;
        const about = step.about.map((value) => this.#value(value));
        return { question, about, schema: JSON.stringify(schemaOfType(step.type)), as };
      }
      case 'let':
        return { as: step.name, value: this.#value(step.be) };
      case 'if': {
        const condition = step.condition.source;
        const yields = Object.entries(step.yields ?? {}).map(([name, [then, otherwise]]) => ({
          name,
          then: this.#value(then),
          else: this.#value(otherwise),
        }));
        const then = this.block(`${id}.then`, step.then);
        const otherwise = step.else.length > 0 ? this.block(`${id}.else`, step.else) : null;
        return { condition, then, else: otherwise, yields: yields.length > 0 ? yields : null };
      }
      case 'forEach': {
        const { item, atMost = null } = step;
        const collect = step.collect ? this.#named(step.collect) : null;
        return { in: this.#value(step.in), item, atMost, do: this.block(`${id}.do`, step.do), collect };
      }
      case 'fold': {
        const { item, accumulator, as } = step;
        const [list, from, next] = [step.in, step.from, step.next].map((value) => this.#value(value));
        return { in: list, item, from, accumulator, do: this.block(`${id}.do`, step.do), next, as };
      }
      case 'require':
        return { condition: step.condition.source, otherwise: step.otherwise };
      case 'return':
        return { value: this.#value(step.value) };
    }
  }

  #named(values: Readonly<Record<string, Value>>): Json[] {
    return Object.entries(values).map(([name, value]) => ({ name, value: this.#value(value) }));
  }

  /** A value; within another one, lists, records and templates have a name of their own. */
  #value(value: Value, isInner = false): Json {
    if (isInner && (value.kind === 'list' || value.kind === 'record' || value.kind === 'text')) {
      const id = `v${this.values.length + 1}`;
      const written: { id: string; value: Json } = { id, value: null };
      this.values.push(written);
      written.value = this.#value(value);
      return { kind: 'value', value: id };
    }
    const inner = (one: Value): Json => this.#value(one, true);
    switch (value.kind) {
      case 'literal':
        return literalJson(value.value);
      case 'reference':
        return { kind: 'reference', name: value.name, path: value.path };
      case 'expression':
        return { kind: 'expression', expression: value.expression.source };
      case 'list':
        return { kind: 'list', of: value.of.map(inner) };
      case 'text':
        return { kind: 'template', of: value.of.map(inner) };
      case 'record':
        return {
          kind: 'record',
          fields: Object.entries(value.fields).map(([name, one]) => ({ name, value: inner(one) })),
        };
    }
  }
}

function literalJson(value: Json): Json {
  switch (typeof value) {
    case 'string':
      return { kind: 'text', text: value };
    case 'number':
      return { kind: 'number', number: value };
    case 'boolean':
      return { kind: 'boolean', boolean: value };
    default:
      return value === null ? { kind: 'null' } : { kind: 'json', json: JSON.stringify(value) };
  }
}
