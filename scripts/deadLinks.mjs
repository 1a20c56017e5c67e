import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * The relative links in the pages of a folder that lead to no file in it, or to a heading that its page does not have, each with its place. Code is left out.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function deadLinks(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .map((path) => join(folder, path));
  return pages.flatMap((page) =>
    linksOf(readFileSync(page, 'utf8')).flatMap(({ line, target }) => {
      const [path, anchor] = target.split('#');
      const file = path === '' ? page : resolve(dirname(page), decodeURI(path));
      const place = `${relative(folder, page)}:${line}: ${target}`;
      if (relative(folder, file).startsWith('..') || !existsSync(file)) return [`${place} is not there`];
      if (anchor === undefined || !file.endsWith('.md')) return [];
      return anchorsOf(readFileSync(file, 'utf8')).has(decodeURI(anchor))
        ? []
        : [`${place} has no such heading`];
    }),
  );
}

/** @param {string} text */
function linksOf(text) {
  return prose(text).flatMap((line, i) =>
    [...line.matchAll(/\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)/g)]
      .map(([, target]) => ({ line: i + 1, target }))
      .filter(({ target }) => !/^[a-z][\w+.-]*:/i.test(target)),
  );
}

/** The anchors of headings, as GitHub makes them, and those that a page sets by itself. @param {string} text */
function anchorsOf(text) {
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id));
  for (const line of prose(text, false)) {
    const [, heading] = /^#{1,6} +(.*?)\s*$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const words = heading.replace(/<[^>]*>/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const slug = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    let name = slug;
    for (let i = 1; anchors.has(name); i++) name = `${slug}-${i}`;
    anchors.add(name);
  }
  return anchors;
}

/** The lines of a page, empty where they are code. @param {string} text */
function prose(text, withoutSpans = true) {
  let isCode = false;
  return text.split('\n').map((line) => {
    const fence = /^\s*(```|~~~)/.test(line);
    if (fence) isCode = !isCode;
    if (fence || isCode) return '';
    return withoutSpans ? line.replace(/`[^`]*`/g, '') : line;
  });
}
