"""Every operation of a client of a2a-sdk 0.3.x, as it is out of the box, against the agent whose address is the first argument."""

import asyncio
import sys

from uuid import uuid4

import httpx

from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientJSONRPCError
from a2a.types import (
    DeleteTaskPushNotificationConfigParams,
    DeleteTaskPushNotificationConfigRequest,
    DeleteTaskPushNotificationConfigSuccessResponse,
    GetTaskPushNotificationConfigParams,
    ListTaskPushNotificationConfigParams,
    ListTaskPushNotificationConfigRequest,
    ListTaskPushNotificationConfigSuccessResponse,
    Message,
    MessageSendConfiguration,
    Part,
    PushNotificationAuthenticationInfo,
    PushNotificationConfig,
    Role,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
    TextPart,
)
from a2a.utils import get_artifact_text, get_message_text

from cells import run_cells
from report import Report, expect, until
from webhook import Webhook

SLOW_SECONDS = 12
TASK_NOT_FOUND, TASK_NOT_CANCELABLE = -32001, -32002
ORIGIN, TOKEN = sys.argv[1], sys.argv[2]
AUTHORIZED = {'Authorization': f'Bearer {TOKEN}'}


class Peer:
    """The agent through one client that streams and one that does not, both with the SDK's own timeouts."""

    async def open(self):
        self.http = httpx.AsyncClient(headers=AUTHORIZED)
        self.card = await A2ACardResolver(self.http, ORIGIN).get_agent_card()
        self.streaming = ClientFactory(ClientConfig(httpx_client=self.http)).create(self.card)
        unary = ClientConfig(streaming=False, httpx_client=self.http)
        self.unary = ClientFactory(unary).create(self.card)

    async def send(self, text, **ids):
        """The task or message that a client gets which does not stream."""
        [answer] = [event async for event in self.unary.send_message(message(text, **ids))]
        return answer if isinstance(answer, Message) else answer[0]

    async def stream(self, text, **ids):
        """The pairs of task so far and update; a Message is not in a pair."""
        return [event async for event in self.streaming.send_message(message(text, **ids))]

    async def begin(self, text):
        """The id of a task that was only handed over."""
        detached = MessageSendConfiguration(blocking=False)
        sent = self.unary.send_message(message(text), configuration=detached)
        [(task, _)] = [event async for event in sent]
        return task.id

    async def get(self, task_id):
        return await self.unary.get_task(TaskQueryParams(id=task_id))

    async def raw(self, call, success):
        """An operation that the SDK has types for, but no method in its client."""
        response = await self.http.post(self.card.url, json=call.model_dump(mode='json', exclude_none=True))
        return success.model_validate(response.json()).result


def message(text, **ids):
    return Message(role=Role.user, message_id=str(uuid4()), parts=[Part(root=TextPart(text=text))], **ids)


def reply(task):
    return ' | '.join(get_artifact_text(artifact, '') for artifact in task.artifacts or [])


def expect_end(events, state):
    """The last update says the state, and that it is the last."""
    _, update = events[-1]
    expect((update.kind, update.status.state.value, update.final), ('status-update', state, True), 'last event')
    return update.status


async def expect_code(work, code):
    try:
        await work
    except A2AClientJSONRPCError as error:
        expect(error.error.code, code, 'error')
    else:
        raise AssertionError(f'no error {code}')


class Operations:
    def __init__(self, peer, webhook):
        self.peer, self.webhook = peer, webhook

    async def card(self):
        await self.peer.open()
        card = self.peer.card
        expect((card.name, card.capabilities.streaming), ('words', True), 'name and streaming')
        expect(card.protocol_version.startswith('0.3'), True, 'is a card of v0.3')

    async def send(self):
        task = await self.peer.send('hello you')
        expect(task.status.state.value, 'completed', 'state')
        expect(reply(task), 'hello you, said the agent', 'reply')

    async def send_message_reply(self):
        expect(get_message_text(await self.peer.send('message you')), 'direct you', 'message')

    async def send_failure(self):
        task = await self.peer.send('fail it broke')
        expect(task.status.state.value, 'failed', 'state')
        expect(get_message_text(task.status.message), 'because it broke', 'reason')

    async def send_pieces(self):
        expect(reply(await self.peer.send('pieces')), 'one, two, three', 'reply')

    async def send_files(self):
        self._expect_files(await self.peer.send('files'))

    async def stream_files(self):
        self._expect_files((await self.peer.stream('files'))[-1][0])

    def _expect_files(self, task):
        [file, data] = [part.root for part in task.artifacts[0].parts]
        wanted = ('JVBERi0=', 'report.pdf', 'application/pdf')
        expect((file.file.bytes, file.file.name, file.file.mime_type), wanted, 'file')
        expect(data.data, {'rows': [1, 2]}, 'data')

    async def send_slow(self):
        expect(reply(await self.peer.send(f'slow {SLOW_SECONDS}')), f'slept {SLOW_SECONDS} s', 'reply')

    async def send_question(self):
        asked = await self.peer.send('ask')
        expect(asked.status.state.value, 'input-required', 'state')
        expect(get_message_text(asked.status.message), 'Which branch?', 'question')
        answered = await self.peer.send('main', task_id=asked.id, context_id=asked.context_id)
        expect(answered.id, asked.id, 'task')
        expect(reply(answered), 'merged into main', 'reply')

    async def stream(self):
        events = await self.peer.stream('hello you')
        expect(events[0][1], None, 'first event is the task')
        expect(reply(events[-1][0]), 'hello you, said the agent', 'text')
        expect_end(events, 'completed')

    async def stream_message_reply(self):
        [answer] = await self.peer.stream('message you')
        expect(get_message_text(answer), 'direct you', 'message')

    async def stream_pieces(self):
        expect(reply((await self.peer.stream('pieces'))[-1][0]), 'one, two, three', 'text')

    async def stream_failure(self):
        status = expect_end(await self.peer.stream('fail it broke'), 'failed')
        expect(get_message_text(status.message), 'because it broke', 'reason')

    async def stream_slow(self):
        events = await self.peer.stream(f'slow {SLOW_SECONDS}')
        expect(reply(events[-1][0]), f'slept {SLOW_SECONDS} s', 'text')

    async def stream_question(self):
        events = await self.peer.stream('ask')
        expect_end(events, 'input-required')
        task = events[0][0]
        answered = await self.peer.stream('main', task_id=task.id, context_id=task.context_id)
        expect(reply(answered[-1][0]), 'merged into main', 'text')
        expect_end(answered, 'completed')

    async def get(self):
        task = await self.peer.send('hello you')
        got = await self.peer.get(task.id)
        expect((got.id, reply(got)), (task.id, reply(task)), 'task')
        expect(len(got.history or []) > 0, True, 'has a history')
        await expect_code(self.peer.get('no-such-task'), TASK_NOT_FOUND)

    async def cancel(self):
        task_id = await self.peer.begin('wait')
        canceled = await self.peer.unary.cancel_task(TaskIdParams(id=task_id))
        expect(canceled.status.state.value, 'canceled', 'state')
        done = await self.peer.send('hello you')
        await expect_code(self.peer.unary.cancel_task(TaskIdParams(id=done.id)), TASK_NOT_CANCELABLE)

    async def subscribe(self):
        task_id = await self.peer.begin('slow 1')
        events = [event async for event in self.peer.streaming.resubscribe(TaskIdParams(id=task_id))]
        expect(reply(events[-1][0]), 'slept 1 s', 'text')
        expect_end(events, 'completed')

    async def push_set(self):
        self.pushed = await self.peer.begin('slow 3')
        login = PushNotificationAuthenticationInfo(schemes=['Bearer'], credentials='webhook-credential')
        hook = PushNotificationConfig(id='hook', url=self.webhook.url, token='secret', authentication=login)
        wanted = TaskPushNotificationConfig(task_id=self.pushed, push_notification_config=hook)
        made = await self.peer.unary.set_task_callback(wanted)
        expect(made.task_id, self.pushed, 'task')
        self._expect_hook(made)

    async def push_get(self):
        wanted = GetTaskPushNotificationConfigParams(id=self.pushed, push_notification_config_id='hook')
        self._expect_hook(await self.peer.unary.get_task_callback(wanted))

    def _expect_hook(self, config):
        hook = config.push_notification_config
        expect((hook.id, hook.url), ('hook', self.webhook.url), 'config')

    async def push_list(self):
        [config] = await self._hooks()
        self._expect_hook(config)

    async def push_delivered(self):
        await until('the last notification', lambda: 'completed' in self._states_received())
        headers, body = self.webhook.received[-1]
        expect(headers.get('X-A2A-Notification-Token'), 'secret', 'token')
        expect(headers.get('Authorization'), 'Bearer webhook-credential', 'authorization')
        expect('kind' in body, True, 'is spelled in v0.3')

    def _states_received(self):
        return [body.get('status', {}).get('state') for _, body in self.webhook.received]

    async def push_delete(self):
        gone = DeleteTaskPushNotificationConfigParams(id=self.pushed, push_notification_config_id='hook')
        call = DeleteTaskPushNotificationConfigRequest(id='1', params=gone)
        await self.peer.raw(call, DeleteTaskPushNotificationConfigSuccessResponse)
        expect(await self._hooks(), [], 'configs left')

    async def _hooks(self):
        wanted = ListTaskPushNotificationConfigParams(id=self.pushed)
        call = ListTaskPushNotificationConfigRequest(id='1', params=wanted)
        return await self.peer.raw(call, ListTaskPushNotificationConfigSuccessResponse)

    async def extended_card(self):
        # Without this the SDK gives the public card instead of asking.
        expect(self.peer.card.supports_authenticated_extended_card, True, 'offered by the card')
        extended = await self.peer.unary.get_card()
        details = [extension.params for extension in extended.capabilities.extensions or [] if extension.params]
        expect(details, [{'model': 'words'}], 'what only it says')


async def main():
    webhook, peer = Webhook(), Peer()
    operations = Operations(peer, webhook)
    await run_cells(Report(), operations.card, operations, has_list=False)
    webhook.close()


asyncio.run(main())
