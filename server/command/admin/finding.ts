export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}

export type Result = Omit<Finding, 'check'>;

export const ok = (detail: string): Result => ({ state: 'ok', detail });
export const warning = (detail: string): Result => ({ state: 'warning', detail });
export const failed = (detail: string): Result => ({ state: 'failed', detail });
