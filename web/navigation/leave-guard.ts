import { useEffect, useEffectEvent } from 'react';

type Guard = (nextPath: string) => boolean;

let current: Guard | null = null;

/** Whether the open page allows a navigation to `nextPath`. It may show a confirmation. */
export function mayLeave(nextPath: string): boolean {
  return current?.(nextPath) ?? true;
}

/** While the caller is mounted, each navigation within the application needs `guard` to return true. */
export function useLeaveGuard(guard: Guard): void {
  const check = useEffectEvent(guard);
  useEffect(() => {
    current = (nextPath) => check(nextPath);
    return () => {
      current = null;
    };
  }, []);
}
