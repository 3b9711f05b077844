import { importedPath, importsOf, isTest, moduleOf } from './source.ts';
import type { Source } from './source.ts';

interface ImportEdge {
  readonly from: string;
  readonly to: string;
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** One sentence for each group of files that import each other, type imports included. */
export function fileCycles(sources: readonly Source[]): string[] {
  return findCycles(graphOf(importEdges(sources))).map(
    (files) => `${files.join(', ')} import each other`,
  );
}

/** One sentence for each group of modules that import each other, with the imports between them. */
export function moduleCycles(sources: readonly Source[]): string[] {
  const files = importEdges(sources);
  const modules = files
    .map(({ from, to }) => ({ from: moduleOf(from), to: moduleOf(to) }))
    .filter(({ from, to }) => from !== to);
  return findCycles(graphOf(modules)).map((group) => {
    const isInside = (path: string) => group.includes(moduleOf(path));
    const edges = files
      .filter(({ from, to }) => isInside(from) && isInside(to) && moduleOf(from) !== moduleOf(to))
      .map(({ from, to }) => `${from} → ${to}`);
    return `${group.join(', ')} import each other: ${edges.join(', ')}`;
  });
}

/** The imports between source files; tests and packages are left out. */
function importEdges(sources: readonly Source[]): ImportEdge[] {
  const files = sources.filter((source) => !isTest(source));
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap((source) =>
    importsOf(source)
      .map((name) => importedPath(source, name))
      .filter((to) => to !== null && to !== source.path && paths.has(to))
      .map((to) => ({ from: source.path, to: to ?? '' })),
  );
}

function graphOf(edges: readonly ImportEdge[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    if (!graph.has(to)) graph.set(to, new Set());
    graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }
  return graph;
}

/** The strongly connected components of more than one node (Tarjan, 1972). */
function findCycles(graph: Graph): string[][] {
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];

  function visit(node: string): void {
    indexes.set(node, indexes.size);
    let low = indexes.size - 1;
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!indexes.has(next)) {
        visit(next);
        low = Math.min(low, lowest.get(next) ?? low);
      } else if (stack.includes(next)) low = Math.min(low, indexes.get(next) ?? low);
    }
    lowest.set(node, low);
    if (low !== indexes.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) found.push(group.toSorted());
  }

  for (const node of graph.keys()) if (!indexes.has(node)) visit(node);
  return found;
}
