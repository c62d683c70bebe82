"""What an agent of google-adk gets from the agent whose address is the first argument, through `RemoteA2aAgent` out of the box."""

import asyncio
import logging
import sys
import warnings

import httpx

from a2a.client import ClientConfig, ClientFactory
from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.runners import InMemoryRunner
from google.genai import types

from report import Report, expect

# ADK says of each of its A2A parts that it is experimental.
warnings.simplefilter('ignore')
logging.disable(logging.CRITICAL)

SLOW_SECONDS = 12
ORIGIN, TOKEN = sys.argv[1], sys.argv[2]
CARD = f'{ORIGIN}/.well-known/agent-card.json'
ADK_TIMEOUT_SECONDS = 600
PUSH = ['push set', 'push get', 'push list', 'push delivered', 'push delete']
NOT_SENT = ['get', 'list', 'cancel', 'subscribe', *PUSH, 'extended card']


class Conversation:
    """One session of an ADK runner whose only agent is the remote one."""

    def __init__(self, streaming):
        http = httpx.AsyncClient(headers={'Authorization': f'Bearer {TOKEN}'}, timeout=ADK_TIMEOUT_SECONDS)
        factory = ClientFactory(ClientConfig(streaming=streaming, httpx_client=http))
        agent = RemoteA2aAgent('words', CARD, a2a_client_factory=factory)
        self._runner = InMemoryRunner(agent, app_name='interop')
        self._session = None

    async def say(self, text):
        """The events with content; their text as a person would see it is `said`."""
        if self._session is None:
            self._session = await self._runner.session_service.create_session(app_name='interop', user_id='me')
        message = types.Content(role='user', parts=[types.Part(text=text)])
        run = self._runner.run_async(user_id='me', session_id=self._session.id, new_message=message)
        return [event async for event in run]


def said(events):
    """The answer in full: of the events with one id the last is the whole; partial ones and thoughts are on the way to it."""
    texts = {}
    for event in events:
        if event.partial or not event.content:
            continue
        texts[event.id] = ''.join(part.text for part in event.content.parts or [] if part.text and not part.thought)
    return ''.join(texts.values())


def errors(events):
    return [event.error_message for event in events if event.error_message]


async def answers(streaming, text, wanted):
    events = await Conversation(streaming).say(text)
    expect((said(events), errors(events)), (wanted, []), 'text and errors')


async def fails(streaming):
    events = await Conversation(streaming).say('fail it broke')
    expect('because it broke' in said(events) + ' '.join(errors(events)), True, 'says the reason')


async def sends_files(streaming):
    events = await Conversation(streaming).say('files')
    parts = [part for event in events if event.content for part in event.content.parts or [] if part.inline_data]
    got = {(part.inline_data.data, part.inline_data.mime_type) for part in parts}
    expect((b'%PDF-', 'application/pdf') in got, True, 'has the file')


async def asks(streaming):
    conversation = Conversation(streaming)
    expect('Which branch?' in str(await conversation.say('ask')), True, 'has the question')
    expect(said(await conversation.say('main')), 'merged into main', 'reply')


async def main():
    report = Report()
    ways = {'send': False, 'stream': True}
    slow = [
        asyncio.create_task(
            report.cell(
                f'{way}, 12 s',
                lambda streaming=streaming: answers(streaming, f'slow {SLOW_SECONDS}', f'slept {SLOW_SECONDS} s'),
            )
        )
        for way, streaming in ways.items()
    ]
    for way, streaming in ways.items():
        for suffix, work in {
            '': lambda streaming=streaming: answers(streaming, 'hello you', 'hello you, said the agent'),
            ', direct message': lambda streaming=streaming: answers(streaming, 'message you', 'direct you'),
            ', failure': lambda streaming=streaming: fails(streaming),
            ', files and data': lambda streaming=streaming: sends_files(streaming),
            ', pieces': lambda streaming=streaming: answers(streaming, 'pieces', 'one, two, three'),
            ', question and answer': lambda streaming=streaming: asks(streaming),
        }.items():
            await report.cell(f'{way}{suffix}', work)
    await asyncio.gather(*slow)
    for operation in NOT_SENT:
        report.absent(operation, 'an agent of ADK sends, and nothing else')


asyncio.run(main())
