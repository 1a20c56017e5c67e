import { parseDocument } from 'yaml';
import { InvalidDataError } from '../../base/errors.js';
import {
  type PolicySpecification,
  parsePolicies,
  SpecificationError,
} from '../../rules/specification/index.js';

/** The conditions of a policy, as they are written. */
export interface Candidate {
  readonly permit: Readonly<Record<string, string>>;
  readonly forbid: Readonly<Record<string, string>>;
}

/** Values of inputs, and what a policy must decide of them. */
export type Example = Readonly<Record<string, unknown>> & { readonly expect: 'permit' | 'deny' };

/** A policy without conditions: what it is for, and what it must ensure. */
export interface PolicyDraft {
  readonly name: string;
  readonly tools: readonly string[];
  readonly request: string;
  readonly requires?: string;
  readonly ensures: Readonly<Record<string, string>>;
  readonly examples: readonly Example[];
}

/** A file of policies, some of which have no conditions yet. */
export class DraftFile {
  readonly source: string;
  readonly #text: string;
  readonly #read: ((path: string) => string) | undefined;
  readonly #content: {
    readonly version?: unknown;
    readonly inputs?: Readonly<Record<string, unknown>>;
    readonly policies: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };

  /**
   * @param read the text of a script by the path that `source` of another policy has, as of `parsePolicies`; default: such policies are an error
   * @throws SpecificationError if it is none, apart from conditions that are missing
   */
  constructor(text: string, source: string, { read }: { readonly read?: (path: string) => string } = {}) {
    this.source = source;
    this.#text = text;
    this.#read = read;
    this.#parse(text);
    this.#content = parseDocument(text).toJS();
  }

  /** The types of the inputs, as they are written. */
  get inputs(): Readonly<Record<string, unknown>> {
    return this.#content.inputs ?? {};
  }

  /** The policies without `permit`, and without a script in its place. */
  get drafts(): PolicyDraft[] {
    return Object.entries(this.#content.policies).flatMap(([name, policy]) => {
      if (policy.permit !== undefined || policy.source !== undefined) return [];
      const { tools, request = '', requires, ensures, examples } = policy as unknown as PolicyDraft;
      return [
        {
          name,
          tools,
          request,
          ensures: ensures ?? {},
          examples: examples ?? [],
          ...(requires !== undefined && { requires }),
        },
      ];
    });
  }

  /** @throws InvalidDataError if there is no such draft */
  draft(name: string): PolicyDraft {
    const { drafts } = this;
    const found = drafts.find((draft) => draft.name === name);
    if (found !== undefined) return found;
    const names = drafts.map((draft) => draft.name).join(', ') || 'none';
    throw new InvalidDataError(
      `${this.source} has no policy "${name}" without permit; policies to be written: ${names}`,
    );
  }

  /** The policy of a draft alone, with conditions; or what is wrong with them, with the lines that are. */
  alone(draft: PolicyDraft, candidate: Candidate): PolicySpecification | readonly string[] {
    const { version, inputs } = this.#content;
    const { name, ensures, examples } = draft;
    const policy = { ...this.#content.policies[name], ensures, examples, ...written(candidate) };
    const text = JSON.stringify({ version, inputs, policies: { [name]: policy } }, null, 1);
    try {
      return parsePolicies(text);
    } catch (error) {
      if (!(error instanceof SpecificationError)) throw error;
      const lines = text.split('\n');
      return error.problems.map(({ message, line }) => `${message}; in ${lines[line - 1].trim()}`);
    }
  }

  /** The text of the file with a draft's properties, examples and conditions in it; comments stay. @throws SpecificationError if they are none */
  with(draft: PolicyDraft, candidate: Candidate): string {
    const document = parseDocument(this.#text);
    const { name, ensures, examples } = draft;
    const fields = { ...written(candidate), ensures, ...(examples.length > 0 && { examples }) };
    for (const [key, value] of Object.entries(fields))
      document.setIn(['policies', name, key], document.createNode(value));
    const text = String(document);
    this.#parse(text);
    return text;
  }

  #parse(text: string): void {
    const { source } = this;
    parsePolicies(text, { source, drafts: true, ...(this.#read && { read: this.#read }) });
  }
}

function written({ permit, forbid }: Candidate): Record<string, unknown> {
  return { permit, ...(Object.keys(forbid).length > 0 && { forbid }) };
}
