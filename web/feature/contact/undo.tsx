import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';

import { useMutation } from '@tanstack/react-query';

import { UNDO_MS } from '#domain/contact.ts';
import { Button } from '#web/shared/ui/button.tsx';

import { reloadLists } from './use-contacts.ts';
import type { Selection, Undoable } from './use-selection.ts';

interface UndoBarsProps {
  readonly selection: Selection;
  readonly onFocusLost: () => void;
}

export function UndoBars({ selection, onFocusLost }: UndoBarsProps) {
  const { selected, undos, endUndo } = selection;
  return (
    <div className="contacts-undos">
      {undos.map((one) => (
        <Undo
          key={`${one.id} ${one.text}`}
          {...one}
          takesFocus={one.takesFocus || selected === null}
          onEnd={() => endUndo(one)}
          onFocusLost={onFocusLost}
        />
      ))}
    </div>
  );
}

interface UndoProps extends Undoable {
  readonly onEnd: () => void;
  readonly onFocusLost: () => void;
}

function Undo({ name, text, undo, takesFocus, onEnd, onFocusLost }: UndoProps) {
  const element = useRef<HTMLDivElement>(null);
  const textId = useId();
  const { mutate, isPending, error } = useMutation({
    mutationFn: undo,
    onSuccess: () => {
      reloadLists();
      onEnd();
    },
  });
  const focusFirst = useEffectEvent(() => {
    if (takesFocus) element.current?.querySelector('button')?.focus({ preventScroll: true });
  });
  const loseFocus = useEffectEvent(onFocusLost);
  useLayoutEffect(() => {
    const bar = element.current;
    return () => {
      if (bar?.contains(document.activeElement)) loseFocus();
    };
  }, []);
  useEffect(() => focusFirst(), []);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    // A pending request may still fail, and its error is shown in the bar.
    if (isPending) return undefined;
    const timer = setTimeout(() => end(), UNDO_MS);
    return () => clearTimeout(timer);
  }, [isPending]);
  return (
    <div ref={element} className="contacts-undo panel row">
      <output>
        <span id={textId}>
          {error?.message ?? (
            <>
              <bdi>{name}</bdi> {text}
            </>
          )}
        </span>
      </output>
      <Button isBusy={isPending} aria-describedby={textId} onClick={() => mutate()}>
        Undo
      </Button>
    </div>
  );
}
