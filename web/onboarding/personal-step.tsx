import { emailHint } from '#domain/hint.ts';
import { Field } from '#web/ui/field.tsx';

import { lengthMax } from './draft.ts';
import { StepForm, focusNow } from './step.tsx';
import type { StepProps } from './step.tsx';

export function PersonalStep({ draft, change, goOn }: StepProps) {
  return (
    <StepForm title="Welcome" lead="First, who you are." goOn={goOn}>
      <Field
        label="Name"
        value={draft.name}
        lengthMax={lengthMax('name')}
        onChange={(name) => change({ name })}
        name="name"
        autoComplete="name"
        autoCapitalize="words"
        enterKeyHint="next"
        inputRef={focusNow}
      />
      <Field
        label="Email"
        value={draft.email}
        lengthMax={lengthMax('email')}
        onChange={(email) => change({ email })}
        hint={emailHint}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="next"
      />
    </StepForm>
  );
}
