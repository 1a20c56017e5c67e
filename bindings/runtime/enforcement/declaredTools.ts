import { canonicalJson } from '../../base/canonicalJson.js';
import { printableName } from '../../base/words.js';
import { wordsOf } from './messages.js';
import type { ReadCall } from './readCall.js';
import type { DeclaredTool, SessionOptions } from './sessionOptions.js';
import type { EnforcementFault } from './verdict.js';

const MAX_ARGUMENTS = 1 << 20;

/** The declared tools, with the checks of their calls. */
export class DeclaredTools {
  readonly names: readonly string[];
  readonly #tools: ReadonlyMap<string, DeclaredTool>;
  /** Maximum number of characters of the JSON of a call's arguments. */
  readonly mostArguments: number;

  constructor({ tools, maxArguments = MAX_ARGUMENTS }: Pick<SessionOptions, 'tools' | 'maxArguments'>) {
    this.#tools = new Map(isList(tools) ? tools.map((name) => [name, {}]) : Object.entries(tools));
    this.names = [...this.#tools.keys()];
    this.mostArguments = maxArguments;
  }

  /** Whether a tool was declared safe for this run. */
  isSafe(name: string): boolean {
    try {
      return this.#tools.get(name)?.safe === true;
    } catch {
      return false;
    }
  }

  /** The fault of a call, whatever the call holds; null if there is none. */
  faultOf({ call, fault }: ReadCall): [fault: EnforcementFault, detail: string] | null {
    try {
      const { name, arguments: given } = call;
      if (typeof name !== 'string') return ['unknown-tool', `its name is ${typeof name}, not text`];
      const tool = this.#tools.get(name);
      if (tool === undefined)
        return ['unknown-tool', `known are ${this.names.map(printableName).join(', ') || 'none'}`];
      const refused: unknown = tool.refused?.() ?? null;
      if (refused !== null) return ['tool-changed', String(refused).slice(0, 2000)];
      if (fault !== null) return ['invalid-arguments', fault];
      // Reading has already given up on arguments that are far too long; this checks the exact length.
      canonicalJson(given, this.mostArguments);
      const complaint: unknown = tool.check?.(given) ?? null;
      if (complaint instanceof Promise) {
        // Nobody awaits the promise; its rejection must not end the process.
        complaint.catch(() => undefined);
        return [
          'invalid-arguments',
          'the check of the tool answers later; it has to give text or null at once',
        ];
      }
      return complaint === null ? null : ['invalid-arguments', String(complaint).slice(0, 2000)];
    } catch (error) {
      return ['invalid-arguments', wordsOf(error)];
    }
  }
}

function isList(tools: SessionOptions['tools']): tools is readonly string[] {
  return Array.isArray(tools);
}
