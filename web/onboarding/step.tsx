import { useId } from 'react';
import type { FormEvent, ReactNode } from 'react';

import { Button } from '#web/ui/button.tsx';

import type { Draft } from './draft.ts';

export interface StepProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  readonly goOn: () => void;
}

interface StepFormProps {
  readonly title: string;
  readonly lead: string;
  readonly goOn: () => void;
  readonly children: ReactNode;
}

/** A step: what it asks, its fields, and Next. Enter goes on. */
export function StepForm({ title, lead, goOn, children }: StepFormProps) {
  const titleId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    goOn();
  };
  return (
    <form className="step" aria-labelledby={titleId} noValidate onSubmit={submit}>
      <h1 id={titleId}>{title}</h1>
      <p className="step-lead">{lead}</p>
      {children}
      <Button look="main" type="submit" className="step-next">
        Next
      </Button>
    </form>
  );
}

/** Gives an element the focus as it appears. */
export function focusNow(element: HTMLElement | null): void {
  element?.focus();
}
