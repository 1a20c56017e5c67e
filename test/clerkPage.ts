import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Random } from '../bindings/base/random.js';
import { foreguard } from './unit/cli/command.js';
import { agent, call, exportRequest, type SpanSketch } from './unit/trace/otlp.js';

/**
 * What a clerk for refunds did in so many runs, as lines of spans: it looks an order up, and refunds what can be refunded. Where it is told no, it mostly says
 * so to the customer; at times it looks again, and one time in four it refunds all the same.
 */
export function clerkSpans(runs: number, seed = 1): string {
  const random = new Random(seed);
  const requests = Array.from({ length: runs }, (_, order) => {
    const trace = `t${order}`;
    const spans: SpanSketch[] = [];
    const did = (tool: string, result: unknown): void => {
      const start = 10 * order + spans.length;
      spans.push(call(tool, { id: `c${spans.length}`, trace, parent: 'r', start, given: { order }, result }));
    };
    const refundable = random.next() < 0.7;
    for (let open = true; open; ) {
      did('look_up', { refundable });
      const mood = random.next();
      open = !refundable && mood < 0.15;
      if (refundable || mood > 0.75) did('refund', 'paid');
      else if (!open) did('tell_customer', 'told');
    }
    const name = {
      'gen_ai.agent.name': order % 10 === 0 ? 'trainee' : 'clerk',
      'gen_ai.conversation.id': `talk ${order >> 1}`,
    };
    spans.push(
      agent({ id: 'r', trace, start: 10 * order, end: 10 * order + spans.length, attributes: name }),
    );
    return JSON.stringify(exportRequest(spans));
  });
  return `${requests.join('\n')}\n`;
}

/** The first block in a language of docs/opentelemetry.md. */
export function pageBlock(language: string): string {
  const page = readFileSync(new URL('../docs/opentelemetry.md', import.meta.url), 'utf8');
  return page.split(`\`\`\`${language}\n`)[1].split('```')[0];
}

/** Runs the commands of docs/opentelemetry.md on spans of a clerk, all files in `folder`: what each printed. */
export async function runPageCommands(folder: string): Promise<string[]> {
  writeFileSync(join(folder, 'refunds.yaml'), pageBlock('yaml'));
  writeFileSync(join(folder, 'spans.jsonl'), clerkSpans(400));
  const printed: string[] = [];
  for (const command of pageBlock('sh').trim().split('\n')) {
    const [, ...words] = command.split(/ +/).map((word) => (/\.\w+$/.test(word) ? join(folder, word) : word));
    const { out, err, code } = await foreguard(...words);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    printed.push(out);
  }
  return printed;
}
