"""Runs the cells of one program and prints each as a line of JSON. A cell that hangs fails at its limit."""

import asyncio
import json

CELL_SECONDS = 40


class Report:
    async def cell(self, operation, work):
        """Whether it went well. `work` is a function that returns a coroutine; a failed assertion or any other error is the reason."""
        try:
            await asyncio.wait_for(work(), CELL_SECONDS)
        except asyncio.TimeoutError:
            return self._write(operation, f'no end within {CELL_SECONDS} s')
        except Exception as error:  # noqa: BLE001: whatever goes wrong is what the cell says
            return self._write(operation, explain(error))
        return self._write(operation, None)

    def absent(self, operation, why):
        """The SDK does not have this operation."""
        print(json.dumps({'operation': operation, 'absent': why}), flush=True)

    def _write(self, operation, why):
        line = {'operation': operation, 'ok': why is None}
        print(json.dumps(line if why is None else {**line, 'why': why}), flush=True)
        return why is None


def explain(error):
    return ' '.join(f'{type(error).__name__}: {error}'.split())[:300]


def expect(actual, wanted, what):
    if actual != wanted:
        raise AssertionError(f'{what}: {actual!r} instead of {wanted!r}')


async def until(what, condition, seconds=10):
    """Waits for something that another thread or the agent brings about."""
    for _ in range(seconds * 20):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f'{what}: not within {seconds} s')
