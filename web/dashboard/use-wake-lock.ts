import { useEffect } from 'react';

/** The browser releases the lock of a hidden page, so it is requested again when it is visible. */
export function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return undefined;
    let lock: WakeLockSentinel | null = null;
    let isMounted = true;
    const isHeld = () => lock !== null && !lock.released;
    const request = async () => {
      if (isHeld() || document.visibilityState !== 'visible') return;
      try {
        const acquired = await navigator.wakeLock.request('screen');
        // Two requests may have been pending.
        if (isMounted && !isHeld()) lock = acquired;
        else await acquired.release();
      } catch {
        // The device saves power, or the page was hidden again.
      }
    };
    void request();
    const onChange = () => void request();
    document.addEventListener('visibilitychange', onChange);
    return () => {
      isMounted = false;
      document.removeEventListener('visibilitychange', onChange);
      void lock?.release();
    };
  }, []);
}
