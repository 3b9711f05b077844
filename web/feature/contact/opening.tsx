import { useEffect } from 'react';

import { useMutation } from '@tanstack/react-query';

import { openHeld } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { send } from '#web/shared/http/call.ts';
import { LoadingStatus } from '#web/shared/ui/loading.tsx';
import { FailureBox } from '#web/shared/ui/note-box.tsx';

import type { Selection } from './selection.tsx';

/** Reports that a held contact was opened, because the webhook sends a held contact only after that. */
export function useReportHeldOpened({ selected }: Selection, held: readonly OwnContact[] = []) {
  const id = selected?._id ?? '';
  const isHeld = held.some(({ _id }) => _id === id);
  const openedReport = useMutation({
    mutationFn: (contact: string) => send(openHeld, { body: { contact } }),
    meta: { isSave: false },
  });
  const report = openedReport.mutate;
  useEffect(() => {
    if (isHeld) report(id);
  }, [id, isHeld, report]);
  return openedReport;
}

export type OpenedReport = ReturnType<typeof useReportHeldOpened>;

interface OpenedReportFailureProps {
  readonly openId: string;
  readonly openedReport: OpenedReport;
}

export function OpenedReportFailure({ openId, openedReport }: OpenedReportFailureProps) {
  const { isError, isPending, variables, mutate } = openedReport;
  if (!isError || variables !== openId) return null;
  return (
    <FailureBox
      sentence="We couldn't tell your other software that you opened this contact."
      isBusy={isPending}
      onRetry={() => mutate(openId)}
    />
  );
}

export function OpeningStatus({ opening }: Pick<Selection, 'opening'>) {
  const { data, isPending, isError, variables, mutate } = opening;
  if (isPending) return <LoadingStatus>Loading the contact</LoadingStatus>;
  if (isError)
    return (
      <FailureBox sentence="We couldn't load this contact." onRetry={() => mutate(variables)} />
    );
  return data === null && <output className="note">This contact no longer exists.</output>;
}
