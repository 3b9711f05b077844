import { Field } from '#web/ui/field.tsx';

import { lengthMax } from './draft.ts';
import { StepForm, focusNow } from './step.tsx';
import type { StepProps } from './step.tsx';

export function CompanyStep({ draft, change, goOn }: StepProps) {
  return (
    <StepForm title="Where you work" lead="Leave out what does not fit." goOn={goOn}>
      <Field
        label="Company Name"
        value={draft.companyName}
        lengthMax={lengthMax('companyName')}
        onChange={(companyName) => change({ companyName })}
        name="organization"
        autoComplete="organization"
        autoCapitalize="words"
        enterKeyHint="next"
        inputRef={focusNow}
      />
      <Field
        label="Designation"
        value={draft.designation}
        lengthMax={lengthMax('designation')}
        onChange={(designation) => change({ designation })}
        name="organization-title"
        autoComplete="organization-title"
        autoCapitalize="words"
        enterKeyHint="next"
      />
    </StepForm>
  );
}
