import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { getOwnTable, getTable, getTableLive } from '#contract/table.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { CallError, prepareCall, send } from '#web/shared/http/call.ts';
import { listenToChanges } from '#web/shared/http/event-stream.ts';
import { ownerQuery, queryClient, withConnectionCheck } from '#web/shared/http/query.ts';

export const ownTableQuery = () => ownerQuery(getOwnTable);
export const reloadOwnTable = () => queryClient.invalidateQueries(ownTableQuery());

/** Returns the query for a table, which is repeated whenever the table changes. */
export function useTable(id: string) {
  const query = useQuery({
    queryKey: [getTable.path, id],
    queryFn: () => withConnectionCheck(() => send(getTable, { params: { table: id } })),
    // The stream announces changes at once. Polling covers browsers that cannot open it.
    refetchInterval: 10 * SECOND_MS,
  });
  const { refetch, error, errorUpdatedAt } = query;
  const hasEnded = error instanceof CallError && error.error?.error === 'table_ended';
  const endedAt = hasEnded ? errorUpdatedAt : 0;
  useEffect(() => {
    const { url } = prepareCall(getTableLive, { params: { table: id } });
    return listenToChanges(url, () => void refetch());
  }, [id, refetch]);
  // Each poll that finds the table ended tries again, because this reload can fail.
  useEffect(() => {
    if (endedAt > 0) void reloadOwnTable();
  }, [endedAt]);
  return query;
}
