export function readNumber(name: string, fallback: number): number {
  return Number(process.env[name] ?? fallback);
}
