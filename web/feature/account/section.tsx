import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';

import { LineIcon } from '#web/shared/ui/button.tsx';

interface SectionProps {
  readonly icon: ComponentProps<typeof LineIcon>['name'];
  readonly title: string;
  readonly text: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  readonly isGroup?: boolean;
}

export function Section({ icon, title, text, children, className = '', isGroup }: SectionProps) {
  const titleId = useId();
  return (
    <section
      className={`account-section panel ${className}`}
      role={isGroup ? 'group' : undefined}
      aria-labelledby={titleId}
    >
      <span className="account-icon corner-tile">
        <LineIcon name={icon} />
      </span>
      <div className="account-text">
        <h2 id={titleId}>{title}</h2>
        <p className="muted">{text}</p>
      </div>
      <div className="account-action">{children}</div>
    </section>
  );
}
