import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../bindings/face/cli/run.js';
import { parseSpecification } from '../bindings/rules/specification/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');

function blocks(language: string, page = readme): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code]) => code,
  );
}

mkdirSync(join(root, 'build'), { recursive: true });
const folder = mkdtempSync(join(root, 'build', 'readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the README and the pages beside it', () => {
  const page = (name: string): string => readFileSync(`${root}docs/${name}`, 'utf8');
  const pages = ['api.md', 'models.md', 'properties.md', 'rules.md'].map(page);
  const cli = page('cli.md');
  const examples = [readme, ...pages].flatMap((page) => blocks('js', page));

  beforeAll(() => {
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: root });
  });

  it('have examples of at most 15 lines that run and print what their comments say', () => {
    expect(examples).toHaveLength(10);
    for (const [i, example] of examples.entries()) {
      expect(example.trim().split('\n').length).toBeLessThanOrEqual(15);
      const file = join(folder, `example${i}.mjs`);
      writeFileSync(file, example);
      const printed = execFileSync(process.execPath, [file], { encoding: 'utf8', cwd: root });
      const comments = example.split('\n').filter((line) => line.startsWith('//') || line.includes('; //'));
      const promised = comments.map((line) => line.slice(line.indexOf('// ') + 3));
      const lines = printed.trim().split('\n');
      expect(promised).toEqual(expect.arrayContaining(lines));
    }
  });

  it('have examples that are TypeScript of the built package', () => {
    const files = examples.map((example, i) => {
      const file = join(folder, `example${i}.mts`);
      writeFileSync(file, example);
      return file;
    });
    const { options } = ts.convertCompilerOptionsFromJson(
      {
        target: 'es2023',
        lib: ['es2023', 'dom', 'esnext.disposable'],
        module: 'nodenext',
        strict: true,
        noEmit: true,
        types: ['node'],
      },
      root,
    );
    const found = ts.getPreEmitDiagnostics(ts.createProgram(files, { ...options, skipLibCheck: true }));
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  it('hand over what a check has when it is interrupted', async () => {
    const model = join(folder, 'walk.prism');
    // Symmetric, so that iteration takes about the square of its length in sweeps.
    writeFileSync(
      model,
      "dtmc module m x : [0..20000] init 10000; [] x>0 & x<20000 -> 0.5:(x'=x-1) + 0.5:(x'=x+1); [] x=0 | x=20000 -> true; endmodule",
    );
    const questions = ['P>0 [ F x=0 ]', 'P=? [ F x=0 ]'];
    const command = spawn(process.execPath, [
      ...[`${root}dist/cli.js`, 'check', model, '--method', 'interval-iteration', '-p', ...questions],
    ]);
    let out = '';
    let stopped = false;
    command.stdout.on('data', (chunk) => {
      out += chunk;
      // The first answer is there before the second is looked for.
      if (stopped || !out.includes('true (exact')) return;
      stopped = true;
      command.kill('SIGINT');
    });
    const [code] = await once(command, 'close');
    expect(code).toBe(3);
    expect(out).toMatch(/property 2: .*\n {2}error: interrupted (?:after [\d.]+ s|before)/);
  });

  it('go from recorded drives to a guard by commands that can be pasted, and print what docs/driving.md shows', () => {
    const pasted = blocks('sh').find((block) => block.includes('record.mjs')) ?? '';
    const [build, ...commands] = pasted.trim().split('\n');
    expect(build).toBe('npm ci && npm run build && mkdir -p out');
    expect(commands).toHaveLength(7);
    // One by npx, as it is pasted; the others by the command that npx looks for, which takes a second each.
    const [first, ...others] = commands
      .join('\n')
      .replaceAll(' out/', ` ${folder}/`)
      .split(/(?<=^npx .*\n)/m);
    const script = [first, ...others.map((line) => line.replace('npx foreguard', 'node dist/cli.js'))].join(
      '',
    );
    const printed = execFileSync('bash', ['-ec', script], {
      cwd: root,
      encoding: 'utf8',
    }).replaceAll(`${folder}/`, 'out/');
    const shown = blocks('text', readFileSync(`${root}docs/driving.md`, 'utf8'));
    expect(shown.length).toBeGreaterThanOrEqual(3);
    for (const text of shown) for (const part of text.split('…\n')) expect(printed).toContain(part);
    const { rules } = JSON.parse(readFileSync(join(folder, 'guard.json'), 'utf8'));
    expect(rules).toHaveLength(1);
  });

  it('show specifications that are some', () => {
    const texts = [...blocks('yaml'), ...blocks('yaml', cli)];
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(parseSpecification(text).rules).toHaveLength(1);
  });

  it('name only commands, options and scripts that exist', async () => {
    const scripts = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts;
    const commands = [readme, cli, ...pages]
      .flatMap((text) => blocks('sh', text))
      .flatMap((block) => block.trim().split('\n'));
    expect(commands).toContain('npm ci && npm start');
    expect(commands).toContain('npm ci && npm test');
    for (const name of ['start', 'test', 'docs']) expect(scripts).toHaveProperty(name);
    const used = commands.filter((line) => line.startsWith('foreguard'));
    expect(used.length).toBeGreaterThanOrEqual(6);
    for (const line of used) {
      const [, command, sub] = line.split(/\s+/);
      const helpOf = async (...words: string[]) => {
        let text = '';
        const out = (part: string) => void (text += part);
        await run([...words, '--help'], { out, err: () => undefined, interactive: false });
        return text;
      };
      const own = await helpOf(command);
      const help = own.includes('help [command]') ? await helpOf(command, sub) : own;
      for (const [option] of line.matchAll(/(?<=\s)--?[a-z]+(?=\s)/g))
        expect(help, `${command} ${option}`).toContain(option);
    }
  });

  it('link only to files that exist', () => {
    for (const [, target] of readme.matchAll(/\]\(([^)#]+)\)/g))
      expect(existsSync(root + target), target).toBe(true);
    for (const text of [cli, ...pages])
      for (const [, target] of text.matchAll(/\]\(([^)#:\s]*[./][^)#:\s]*)\)/g))
        expect(existsSync(join(root, 'docs', target)), target).toBe(true);
  });

  it('is no longer than can be read', () => {
    expect(readme.trim().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('shows a picture that a real run draws', () => {
    const drawn = execFileSync(process.execPath, ['examples/driving-guard/picture.mjs'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(drawn).toBe(page('picture.svg'));
  });

  it('tells of the drives what the example prints', () => {
    const printed = execFileSync(process.execPath, ['examples/driving-guard/main.mjs'], {
      cwd: root,
      encoding: 'utf8',
    });
    const [, free, guarded] =
      /(\d+) of 100 drives .* unguarded[\s\S]*?(\d+) of 100 drives .* brakes/.exec(printed) ?? [];
    expect(readme).toContain(`Of 100 such drives ${free} break the rule unguarded, ${guarded} guarded.`);
  });
});
