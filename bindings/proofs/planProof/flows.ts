import type { Contracts, FlowRule } from '../contract/index.js';
import type { Label } from './label.js';

/** Looks up which flow rules forbid what, by tool. */
export class Flows {
  readonly #contracts: Contracts;
  readonly #bySink = new Map<string, FlowRule[]>();
  readonly #endorsing = new Map<string, string[]>();

  constructor(contracts: Contracts) {
    this.#contracts = contracts;
    for (const rule of contracts.flows.values()) {
      for (const tool of new Set(rule.to.map((sink) => sink.tool)))
        this.#bySink.set(tool, [...(this.#bySink.get(tool) ?? []), rule]);
      for (const tool of rule.through)
        this.#endorsing.set(tool, [...(this.#endorsing.get(tool) ?? []), rule.name]);
    }
  }

  /** The rules with a sink in the tool. */
  into(tool: string): readonly FlowRule[] {
    const named = this.#bySink.get(tool) ?? [];
    const general = this.#bySink.get('*') ?? [];
    return general.length === 0 ? named : [...new Set([...named, ...general])];
  }

  /** The rules for which the tool endorses what goes through it. */
  endorsedBy(tool: string): readonly string[] {
    const declared = this.#contracts.tools.get(tool)?.endorses ?? [];
    return [...new Set([...declared, ...(this.#endorsing.get(tool) ?? [])])];
  }

  /** Whether an argument of a tool is a sink of a rule. */
  isSink(rule: FlowRule, tool: string, argument: string): boolean {
    const contract = this.#contracts.tools.get(tool)?.arguments.get(argument);
    return rule.to.some(
      (sink) =>
        (sink.tool === tool || sink.tool === '*') &&
        (sink.argument === null ? (contract?.sink ?? true) : sink.argument === argument),
    );
  }

  /** A source that the rule forbids in data of this label; null if there is none. */
  forbidden(rule: FlowRule, label: Label): string | null {
    for (const [source, endorsements] of label.sources)
      if (!endorsements.has(rule.name) && isFrom(rule, source, this.#contracts)) return source;
    return null;
  }
}

function isFrom({ from }: FlowRule, source: string, contracts: Contracts): boolean {
  return from.includes(source) || (from.includes('*') && contracts.tools.has(source));
}
