import { type Contracts, type FlowRule, sinksOfRule, sourcesOf } from '../contract/index.js';
import type { Label } from './label.js';

/** Looks up which flow rules forbid what. */
export class Flows {
  readonly #contracts: Contracts;
  /** By tool, the rules with sinks in it, and these. */
  readonly #bySink = new Map<string, Map<FlowRule, Set<string>>>();
  readonly #sources = new Map<FlowRule, ReadonlySet<string>>();
  readonly #endorsing = new Map<string, string[]>();

  constructor(contracts: Contracts) {
    this.#contracts = contracts;
    for (const rule of contracts.flows.values()) {
      this.#sources.set(rule, new Set(sourcesOf(rule, contracts.tools)));
      for (const { tool, argument } of sinksOfRule(rule, contracts.tools)) {
        const rules = this.#bySink.get(tool) ?? new Map<FlowRule, Set<string>>();
        this.#bySink.set(tool, rules);
        rules.set(rule, (rules.get(rule) ?? new Set()).add(argument));
      }
      for (const tool of rule.through)
        this.#endorsing.set(tool, [...(this.#endorsing.get(tool) ?? []), rule.name]);
    }
  }

  /** The rules with sinks in the tool, and the arguments that are sinks. */
  into(tool: string): ReadonlyMap<FlowRule, ReadonlySet<string>> {
    return this.#bySink.get(tool) ?? NO_RULES;
  }

  /** The rules for which the tool endorses what goes through it. */
  endorsedBy(tool: string): readonly string[] {
    const declared = this.#contracts.tools.get(tool)?.endorses ?? [];
    return [...new Set([...declared, ...(this.#endorsing.get(tool) ?? [])])];
  }

  /** A source that the rule forbids in data of this label; null if there is none. */
  forbidden(rule: FlowRule, label: Label): string | null {
    for (const [source, endorsements] of label.sources)
      if (!endorsements.has(rule.name) && this.#sources.get(rule)?.has(source)) return source;
    return null;
  }
}

const NO_RULES: ReadonlyMap<FlowRule, ReadonlySet<string>> = new Map();
