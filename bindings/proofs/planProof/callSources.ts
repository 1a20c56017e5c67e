import type { Label } from './label.js';
import { whole } from './labels.js';
import type { Abstract } from './values.js';

/** Where the data of a call may come from, in any run: tools, `ask` steps as `ask STEP`, and the plan's author if they are not trusted. */
export interface CallSources {
  readonly step: string;
  /** What may decide that the call is made. */
  readonly decided: readonly string[];
  readonly arguments: readonly { readonly name: string; readonly sources: readonly string[] }[];
}

/** Notes the sources of the calls of a plan; those of all rounds of a loop together. */
export class SourceLog {
  readonly #calls = new Map<string, { decided: Set<string>; arguments: Map<string, Set<string>> }>();

  add(step: string, decided: Label, given: ReadonlyMap<string, Abstract>): void {
    const call = this.#calls.get(step) ?? { decided: new Set<string>(), arguments: new Map() };
    this.#calls.set(step, call);
    for (const source of decided.sources.keys()) call.decided.add(source);
    for (const [name, { labels }] of given) {
      const sources = call.arguments.get(name) ?? new Set<string>();
      call.arguments.set(name, sources);
      for (const source of whole(labels).sources.keys()) sources.add(source);
    }
  }

  all(): CallSources[] {
    return [...this.#calls].map(([step, call]) => ({
      step,
      decided: [...call.decided],
      arguments: [...call.arguments].map(([name, sources]) => ({ name, sources: [...sources] })),
    }));
  }
}
