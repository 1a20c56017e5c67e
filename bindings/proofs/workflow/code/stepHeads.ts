import type { AnyNode, Comment } from 'acorn';
import { ID_EXPECTED, isStepId } from '../names.js';
import { quoted } from '../reading.js';
import type { CodeStatement } from './patterns.js';
import type { CodeProblems } from './problems.js';

/** The ids and notes of steps, from the comments before their statements. */
export class StepHeads {
  readonly #problems: CodeProblems;
  readonly #comments: readonly Comment[];
  #next = 0;
  readonly #ids = new Set<string>();

  constructor(problems: CodeProblems, comments: readonly Comment[]) {
    this.#problems = problems;
    this.#comments = comments;
  }

  /** Id and note, from the comments before a statement; of several steps of one statement the first has them. */
  of(statement: CodeStatement, boundary: number): () => { id: string; note?: string } {
    let id = '';
    let note: string | undefined;
    for (; this.#next < this.#comments.length; this.#next++) {
      const comment = this.#comments[this.#next];
      if (comment.end > statement.start) break;
      if (comment.start < boundary) continue;
      const [, word, rest] = /^\s*(id|note):\s*(.*?)\s*$/s.exec(comment.value) ?? [];
      if (word === 'note') note = textIn(rest) ?? note;
      if (word === 'id') id = this.#id(rest, comment) ?? id;
    }
    return () => {
      const head = { id, ...(note !== undefined && { note }) };
      id = '';
      note = undefined;
      return head;
    };
  }

  #id(id: string, comment: Comment): string | undefined {
    const at = comment as Pick<AnyNode, 'loc'>;
    if (!isStepId(id)) this.#problems.add(at, `the id ${quoted(id)}`, ID_EXPECTED);
    else if (this.#ids.has(id))
      this.#problems.add(at, `the id ${quoted(id)} a second time`, 'an id that no other step has');
    else {
      this.#ids.add(id);
      return id;
    }
    return undefined;
  }
}

/** The text that a comment says in JSON. */
function textIn(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // Other comments are for people.
    return undefined;
  }
}
