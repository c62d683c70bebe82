"""Runs the cells of a client of the SDK in their order, whatever its version."""

import asyncio


async def run_cells(report, card, operations, has_list):
    """Nothing else can go well without the card, which `card` opens the peer by."""
    if not await report.cell('card', card):
        return
    # The slow ones wait side by side.
    slow = [
        asyncio.create_task(report.cell('send, 12 s', operations.send_slow)),
        asyncio.create_task(report.cell('stream, 12 s', operations.stream_slow)),
    ]
    for operation, work in {
        'send': operations.send,
        'send, direct message': operations.send_message_reply,
        'send, failure': operations.send_failure,
        'send, files and data': operations.send_files,
        'send, pieces': operations.send_pieces,
        'send, question and answer': operations.send_question,
        'stream': operations.stream,
        'stream, direct message': operations.stream_message_reply,
        'stream, failure': operations.stream_failure,
        'stream, files and data': operations.stream_files,
        'stream, pieces': operations.stream_pieces,
        'stream, question and answer': operations.stream_question,
        'get': operations.get,
        **({'list': operations.list} if has_list else {}),
        'cancel': operations.cancel,
        'subscribe': operations.subscribe,
        'push set': operations.push_set,
        'push get': operations.push_get,
        'push list': operations.push_list,
        'push delivered': operations.push_delivered,
        'push delete': operations.push_delete,
        'extended card': operations.extended_card,
    }.items():
        await report.cell(operation, work)
    await asyncio.gather(*slow)
    if not has_list:
        report.absent('list', 'v0.3 has none')
