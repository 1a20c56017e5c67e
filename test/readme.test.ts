import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../bindings/cli/run.js';
import { parseSpecification } from '../bindings/specification/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code]) => code,
  );
}

const folder = mkdtempSync(join(root, 'build', 'readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the README', () => {
  it('has examples of at most 15 lines that run and print what their comments say', () => {
    const examples = blocks('js');
    expect(examples).toHaveLength(2);
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: root });
    for (const [i, example] of examples.entries()) {
      expect(example.trim().split('\n').length).toBeLessThanOrEqual(15);
      const file = join(folder, `example${i}.mjs`);
      writeFileSync(file, example);
      const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' });
      expect(example).toContain(`// ${printed.trim()}`);
    }
  }, 120_000);

  it('shows a specification that is one', () => {
    const [text] = blocks('yaml');
    expect(parseSpecification(text).rules).toHaveLength(1);
  });

  it('names only commands, options and scripts that exist', async () => {
    const scripts = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts;
    const commands = blocks('sh').flatMap((block) => block.trim().split('\n'));
    expect(commands).toContain('npm ci && npm start');
    expect(commands).toContain('npm ci && npm test');
    for (const name of ['start', 'test', 'docs']) expect(scripts).toHaveProperty(name);
    const used = commands.filter((line) => line.startsWith('foreguard'));
    expect(used.length).toBeGreaterThanOrEqual(6);
    for (const line of used) {
      const [, command] = line.split(/\s+/);
      let help = '';
      await run([command, '--help'], {
        out: (text) => void (help += text),
        err: () => undefined,
        interactive: false,
      });
      for (const [option] of line.matchAll(/(?<=\s)--?[a-z]+(?=\s)/g))
        expect(help, `${command} ${option}`).toContain(option);
    }
  });

  it('links only to files that exist', () => {
    for (const [, target] of readme.matchAll(/\]\(([^)#]+)\)/g))
      expect(existsSync(root + target), target).toBe(true);
  });
});
