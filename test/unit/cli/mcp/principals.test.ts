import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type PrincipalWords, principalsOf } from '../../../../bindings/face/cli/mcp/principals.js';
import { parseRun } from '../../../../bindings/face/cli/mcp/runs.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-principals-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'ada.json');
writeFileSync(file, '{"id": "ada", "roles": ["admin"]}\n');

const of = (words: PrincipalWords, run?: string, listens = true) =>
  principalsOf(words, parseRun(run, listens), listens);

describe('--principal', () => {
  it('is a file, or JSON, read once', () => {
    const principals = of({ principal: file }, undefined, false);
    const [before] = [principals.of(), writeFileSync(file, '{"id": "eve"}')];
    expect(before).toEqual({ id: 'ada', roles: ['admin'] });
    expect(principals.of()).toBe(before);
    expect(of({ principal: ' {"id": "zoë"}' }).of()).toEqual({ id: 'zoë' });
    expect(of({}).of()).toBeUndefined();
  });

  it.each([
    ['ada.json', 'expected a file of JSON'],
    ['{}', '--principal.id is undefined'],
    ['{"id": "a"', '--principal is not JSON; expected JSON such as'],
    ['{"id": "a", "roles": "admin"}', '--principal.roles is the text "admin"'],
  ])('is refused if it is %j', (principal, words) => expect(() => of({ principal })).toThrow(words));
});

describe('--principal-header', () => {
  const header = (value: string) => of({ principalHeader: 'X-Principal' }).header?.read?.(value);

  it('says it of each client, whatever the layout', () => {
    const principals = of({ principalHeader: 'X-Principal' });
    expect(principals.header?.name).toBe('x-principal');
    const said = header('{"roles": [], "id": "zo\\u00eb"}');
    expect(said).toBe(header('{ "id":"zo\\u00eb", "roles":[] }'));
    expect(principals.of(said)).toEqual({ id: 'zoë', roles: [] });
    expect(() => principals.of(undefined)).toThrow('the header X-Principal is not JSON');
  });

  it.each([
    ['ada', 'the header X-Principal is not JSON'],
    ['{"id": "a"}, {"id": "a"}', 'is not JSON'],
    ['{"id": "zoÃ«"}', 'is not in ASCII'],
    ['[]', 'the header X-Principal is a list'],
    ['null', 'the header X-Principal is null'],
    ['{"roles": ["admin"]}', 'the header X-Principal.id is undefined'],
    ['{"id": ""}', 'the header X-Principal.id is empty'],
  ])('is refused if it is %j', (value, words) => {
    expect(() => header(value)).toThrow(words);
  });

  it('is refused where it has no meaning', () => {
    const principalHeader = 'X-Principal';
    expect(() => of({ principalHeader }, undefined, false)).toThrow('give --listen HOST:PORT/PATH as well');
    expect(() => of({ principalHeader, principal: file })).toThrow('give either --principal');
    expect(() => of({ principalHeader: 'X Principal' })).toThrow('expected a name such as X-Principal');
    for (const run of ['session', 'idle:1h'])
      expect(() => of({ principalHeader }, run)).toThrow('a run has one principal');
    expect(of({ principalHeader }, 'header:X-Agent').header).not.toBeNull();
  });
});
