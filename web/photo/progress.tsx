import type { useSending } from './sending.ts';

type State = ReturnType<typeof useSending>['state'];

const WHOLE_PERCENT = 100;
const HOW_TO_CROP = 'Move the circle, or drag a corner.';

/** What to do, how far the upload is, or what stopped it: one line, so that nothing moves. */
export function Progress({ state }: { readonly state: State }) {
  if (state.kind === 'sending') {
    const percent = Math.round(state.share * WHOLE_PERCENT);
    return (
      <div className="photo-progress">
        <progress aria-label="Upload" value={percent} max={WHOLE_PERCENT} />
        <span>{percent < WHOLE_PERCENT ? `${percent} %` : 'Saving'}</span>
      </div>
    );
  }
  return (
    <div className="photo-progress">
      {state.note === '' ? HOW_TO_CROP : <output className="photo-note">{state.note}</output>}
    </div>
  );
}
