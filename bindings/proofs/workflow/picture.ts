import type { Plan, Step } from './plan.js';
import { namesGiven, namesRead } from './planNames.js';
import { innerSteps } from './stepIds.js';
import { sentence } from './words.js';

/*
 * Pictures of a plan: its steps with what they say in words, what follows on what, and which step reads what another gives.
 */

/** Longest line of a picture, in characters; the whole stands in the tool tip. */
const MOST_SHOWN = 90;

function title(step: Step): string {
  return `${step.id}: ${sentence(step)}`;
}

function shortened(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text;
}

/**
 * Draws a plan for Graphviz. Full arrows say what follows on what; dashed arrows lead from the step that gives a name to the steps that read it.
 *
 * @returns the text of a `.dot` file
 */
export function planDot(plan: Plan): string {
  return new DotWriter(plan).write();
}

class DotWriter {
  readonly #plan: Plan;
  readonly #lines: string[] = [];
  readonly #numbers = new Map<Step, number>();
  readonly #givers = new Map<string, string>();

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  write(): string {
    this.#node('start', 'start', 'shape=circle');
    for (const name of Object.keys(this.#plan.inputs)) this.#givers.set(name, 'start');
    const ends = this.#steps(this.#plan.steps, [['start', '']]);
    this.#node('end', 'end', 'shape=doublecircle');
    for (const [from, label] of ends) this.#edge(from, 'end', label);
    for (const [step, number] of this.#numbers)
      if (step.kind === 'return') this.#edge(`s${number}`, 'end', '');
    return `digraph plan {\n  node [shape=box, style=rounded];\n${this.#lines.map((line) => `  ${line}\n`).join('')}}\n`;
  }

  #node(id: string, label: string, attributes = ''): void {
    this.#lines.push(`${id} [label=${quotedDot(label)}${attributes && `, ${attributes}`}];`);
  }

  #edge(from: string, to: string, label: string, attributes = ''): void {
    const all = [
      ...(label === '' ? [] : [`label=${quotedDot(label)}`]),
      ...(attributes === '' ? [] : [attributes]),
    ];
    this.#lines.push(`${from} -> ${to}${all.length > 0 ? ` [${all.join(', ')}]` : ''};`);
  }

  /** Draws steps after what leads there, and gives what leads on. */
  #steps(steps: readonly Step[], from: readonly Way[]): readonly Way[] {
    return steps.reduce((ways, step) => this.#step(step, ways), from);
  }

  #step(step: Step, from: readonly Way[]): readonly Way[] {
    const number = this.#numbers.size;
    const id = `s${number}`;
    this.#numbers.set(step, number);
    const isChoice = step.kind === 'if' || step.kind === 'require';
    this.#node(id, wrapped(title(step)), isChoice ? 'shape=diamond, style=solid' : '');
    for (const [before, label] of from) this.#edge(before, id, label);
    // What branches and rounds give is read after the steps within.
    const given = namesGiven(step);
    for (const name of given) this.#givers.set(name, id);
    const on = this.#inner(step, id);
    for (const name of namesRead(step)) {
      const giver = this.#givers.get(name);
      if (giver !== undefined && giver !== id) this.#edge(giver, id, name, 'style=dashed, constraint=false');
    }
    return on;
  }

  #inner(step: Step, id: string): readonly Way[] {
    switch (step.kind) {
      case 'if':
        return [...this.#steps(step.then, [[id, 'then']]), ...this.#steps(step.else, [[id, 'else']])];
      case 'forEach':
      case 'fold':
        for (const [last, label] of this.#steps(step.do, [[id, 'each']]))
          if (last !== id) this.#edge(last, id, label || 'next');
        return [[id, 'after the last']];
      case 'return':
        return [];
      default:
        return [[id, '']];
    }
  }
}

/** A node that leads on, and what the arrow says. */
type Way = readonly [from: string, label: string];

function wrapped(text: string): string {
  return (shortened(text).match(/.{1,45}(?:\s|$)|.{1,45}/g) ?? []).map((line) => line.trim()).join('\n');
}

function quotedDot(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

const ROW = 26;
const PAD = 10;
const LETTER = 7.3;

/**
 * Draws a plan as an SVG picture: a box for each step, from the top down, with the steps of branches and loops in the box of theirs.
 *
 * @returns the text of a `.svg` file, with no scripts, styles from elsewhere or links
 */
export function planSvg(plan: Plan): string {
  const rows: string[] = [];
  const depth = depthOf(plan.steps);
  const width = Math.ceil(MOST_SHOWN * LETTER + 2 * PAD * (depth + 1));
  let y = PAD;
  const draw = (steps: readonly Step[], level: number): void => {
    for (const step of steps) {
      const top = y;
      const x = PAD * level;
      const at = rows.push('') - 1;
      rows.push(line(x + PAD, top + 17, title(step)));
      y += ROW;
      const [first, second] = innerSteps(step);
      if (first !== undefined) draw(first, level + 1);
      if (second !== undefined && second.length > 0) {
        rows.push(line(x + PAD, y + 17, 'otherwise:'));
        y += ROW;
        draw(second, level + 1);
      }
      if (first !== undefined) y += PAD / 2;
      rows[at] =
        `<rect x="${x}" y="${top}" width="${width - 2 * x}" height="${y - top}" rx="4" class="${step.kind}"/>`;
      y += PAD / 2;
    }
  };
  draw(plan.steps, 1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + PAD}" width="${width}" height="${y + PAD}" role="img" aria-label="The plan, step by step">
<style>rect{fill:#fff;stroke:#5b6770}.call{fill:#eaf2fb}.ask{fill:#f6effb}.if,.require{fill:#fdf6e3}.return{fill:#eaf7ec}text{font:12px ui-monospace,monospace;fill:#1d2429}</style>
${rows.join('\n')}
</svg>
`;
}

function depthOf(steps: readonly Step[]): number {
  return Math.max(0, ...steps.map((step) => 1 + Math.max(0, ...innerSteps(step).map(depthOf))));
}

function line(x: number, y: number, text: string): string {
  return `<text x="${x}" y="${y}"><title>${escaped(text)}</title>${escaped(shortened(text))}</text>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  // Halves of characters are no XML.
  return text.replace(/[\ud800-\udfff]/gu, '\ufffd').replace(/[&<>"']/g, (one) => ENTITIES[one]);
}
