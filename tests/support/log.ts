import { pino } from 'pino';

export const silentLog = pino({ level: 'silent' });

export function recordingLog(level = 'debug') {
  const lines: string[] = [];
  return {
    log: pino({ level }, { write: (line: string) => void lines.push(line) }),
    lines,
    events: (name: string) =>
      lines
        .map((line) => JSON.parse(line) as { event?: string })
        .filter(({ event }) => event === name),
  };
}
