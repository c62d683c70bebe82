"""Every operation of a client of a2a-sdk 1.x, as it is out of the box, against the agent whose address is the first argument.

The second one is the token to log in with; a third one, `0.3`, leaves the card only the interfaces of that version.
"""

import asyncio
import sys

import httpx

from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.helpers import get_artifact_text, get_message_text, new_text_message
from a2a.types import (
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
    TaskState,
)
from a2a.utils.errors import TaskNotCancelableError, TaskNotFoundError

from cells import run_cells
from report import Report, expect, until
from webhook import Webhook

SLOW_SECONDS = 12
ORIGIN, TOKEN = sys.argv[1], sys.argv[2]
ONLY_VERSION = sys.argv[3] if len(sys.argv) > 3 else None
AUTHORIZED = {'Authorization': f'Bearer {TOKEN}'}


class Peer:
    """The agent through one client that streams and one that does not, both with the SDK's own timeouts."""

    async def open(self):
        self.card = await A2ACardResolver(self._http(), ORIGIN).get_agent_card()
        for interface in [*self.card.supported_interfaces]:
            if ONLY_VERSION not in (None, interface.protocol_version):
                self.card.supported_interfaces.remove(interface)
        self.streaming = ClientFactory(ClientConfig(httpx_client=self._http())).create(self.card)
        unary = ClientConfig(streaming=False, httpx_client=self._http())
        self.unary = ClientFactory(unary).create(self.card)

    def _http(self):
        return httpx.AsyncClient(headers=AUTHORIZED)

    async def send(self, text, **ids):
        """The one answer of a client that does not stream."""
        [answer] = [event async for event in self.unary.send_message(request(text, **ids))]
        return answer

    async def stream(self, text, **ids):
        return [event async for event in self.streaming.send_message(request(text, **ids))]

    async def begin(self, text):
        """The id of a task that was only handed over."""
        handed = request(text)
        handed.configuration.return_immediately = True
        [answer] = [event async for event in self.unary.send_message(handed)]
        return answer.task.id

    async def get(self, task_id):
        return await self.unary.get_task(GetTaskRequest(id=task_id))


def request(text, **ids):
    return SendMessageRequest(message=new_text_message(text, role=Role.ROLE_USER, **ids))


def reply(task):
    return ' | '.join(get_artifact_text(artifact, '') for artifact in task.artifacts)


def expect_state(status, name):
    expect(TaskState.Name(status.state), f'TASK_STATE_{name}', 'state')


def final_status(events):
    return [event.status_update.status for event in events if event.HasField('status_update')][-1]


def streamed_text(events):
    """What a reader holds who applies append and replace."""
    text = ''
    for event in events:
        if event.HasField('artifact_update'):
            update = event.artifact_update
            text = (text if update.append else '') + get_artifact_text(update.artifact, '')
    return text


class Operations:
    def __init__(self, peer, webhook):
        self.peer, self.webhook = peer, webhook

    async def card(self):
        expect(self.peer.card.name, 'words', 'name')
        expect(self.peer.card.capabilities.streaming, True, 'streaming')

    async def send(self):
        task = (await self.peer.send('hello you')).task
        expect_state(task.status, 'COMPLETED')
        expect(reply(task), 'hello you, said the agent', 'reply')

    async def send_message_reply(self):
        expect(get_message_text((await self.peer.send('message you')).message), 'direct you', 'message')

    async def send_failure(self):
        task = (await self.peer.send('fail it broke')).task
        expect_state(task.status, 'FAILED')
        expect(get_message_text(task.status.message), 'because it broke', 'reason')

    async def send_pieces(self):
        expect(reply((await self.peer.send('pieces')).task), 'one, two, three', 'reply')

    async def send_files(self):
        self._expect_files((await self.peer.send('files')).task.artifacts[0])

    async def stream_files(self):
        events = await self.peer.stream('files')
        [artifact] = [event.artifact_update.artifact for event in events if event.HasField('artifact_update')]
        self._expect_files(artifact)

    def _expect_files(self, artifact):
        [file, data] = artifact.parts
        expect((file.raw, file.filename, file.media_type), (b'%PDF-', 'report.pdf', 'application/pdf'), 'file')
        expect(list(data.data.struct_value['rows']), [1, 2], 'data')

    async def send_slow(self):
        task = (await self.peer.send(f'slow {SLOW_SECONDS}')).task
        expect(reply(task), f'slept {SLOW_SECONDS} s', 'reply')

    async def send_question(self):
        asked = (await self.peer.send('ask')).task
        expect_state(asked.status, 'INPUT_REQUIRED')
        expect(get_message_text(asked.status.message), 'Which branch?', 'question')
        answered = (await self.peer.send('main', task_id=asked.id, context_id=asked.context_id)).task
        expect(answered.id, asked.id, 'task')
        expect(reply(answered), 'merged into main', 'reply')

    async def stream(self):
        events = await self.peer.stream('hello you')
        expect(events[0].HasField('task'), True, 'first event is the task')
        expect(streamed_text(events), 'hello you, said the agent', 'text')
        expect_state(final_status(events), 'COMPLETED')

    async def stream_pieces(self):
        expect(streamed_text(await self.peer.stream('pieces')), 'one, two, three', 'text')

    async def stream_message_reply(self):
        [event] = await self.peer.stream('message you')
        expect(get_message_text(event.message), 'direct you', 'message')

    async def stream_failure(self):
        status = final_status(await self.peer.stream('fail it broke'))
        expect_state(status, 'FAILED')
        expect(get_message_text(status.message), 'because it broke', 'reason')

    async def stream_slow(self):
        events = await self.peer.stream(f'slow {SLOW_SECONDS}')
        expect(streamed_text(events), f'slept {SLOW_SECONDS} s', 'text')

    async def stream_question(self):
        events = await self.peer.stream('ask')
        expect_state(final_status(events), 'INPUT_REQUIRED')
        task = events[0].task
        answered = await self.peer.stream('main', task_id=task.id, context_id=task.context_id)
        expect(streamed_text(answered), 'merged into main', 'text')
        expect_state(final_status(answered), 'COMPLETED')

    async def get(self):
        task = (await self.peer.send('hello you')).task
        got = await self.peer.get(task.id)
        expect((got.id, reply(got)), (task.id, reply(task)), 'task')
        expect(len(got.history) > 0, True, 'has a history')
        try:
            await self.peer.get('no-such-task')
        except TaskNotFoundError:
            return
        raise AssertionError('an unknown task was found')

    async def list(self):
        task = (await self.peer.send('hello you')).task
        listed = await self.peer.unary.list_tasks(
            ListTasksRequest(context_id=task.context_id, include_artifacts=True)
        )
        expect([found.id for found in listed.tasks], [task.id], 'tasks')
        expect(reply(listed.tasks[0]), reply(task), 'reply')
        page = await self.peer.unary.list_tasks(ListTasksRequest(page_size=1))
        expect((len(page.tasks), page.page_size, page.next_page_token != ''), (1, 1, True), 'page')

    async def cancel(self):
        task_id = await self.peer.begin('wait')
        cancel = CancelTaskRequest(id=task_id)
        expect_state((await self.peer.unary.cancel_task(cancel)).status, 'CANCELED')
        done = (await self.peer.send('hello you')).task.id
        try:
            await self.peer.unary.cancel_task(CancelTaskRequest(id=done))
        except TaskNotCancelableError:
            return
        raise AssertionError('a finished task was canceled')

    async def subscribe(self):
        task_id = await self.peer.begin('slow 1')
        events = [event async for event in self.peer.streaming.subscribe(SubscribeToTaskRequest(id=task_id))]
        expect(events[0].task.id, task_id, 'first event is the task')
        expect(streamed_text(events), 'slept 1 s', 'text')
        expect_state(final_status(events), 'COMPLETED')

    async def push_set(self):
        self.pushed = await self.peer.begin('slow 3')
        config = TaskPushNotificationConfig(task_id=self.pushed, id='hook', url=self.webhook.url, token='secret')
        config.authentication.scheme, config.authentication.credentials = 'Bearer', 'webhook-credential'
        made = await self.peer.unary.create_task_push_notification_config(config)
        expect((made.id, made.task_id, made.url), ('hook', self.pushed, self.webhook.url), 'config')

    async def push_get(self):
        wanted = GetTaskPushNotificationConfigRequest(task_id=self.pushed, id='hook')
        got = await self.peer.unary.get_task_push_notification_config(wanted)
        expect((got.id, got.url), ('hook', self.webhook.url), 'config')

    async def push_list(self):
        wanted = ListTaskPushNotificationConfigsRequest(task_id=self.pushed)
        listed = await self.peer.unary.list_task_push_notification_configs(wanted)
        expect([config.id for config in listed.configs], ['hook'], 'configs')

    async def push_delivered(self):
        completed = 'completed' if ONLY_VERSION == '0.3' else 'TASK_STATE_COMPLETED'
        await until('the last notification', lambda: completed in self._states_received())
        headers, _ = self.webhook.received[-1]
        expect(headers.get('X-A2A-Notification-Token'), 'secret', 'token')
        expect(headers.get('Authorization'), 'Bearer webhook-credential', 'authorization')

    def _states_received(self):
        """v0.3 has the update bare."""
        updates = [body.get('statusUpdate', body) for _, body in self.webhook.received]
        return [update.get('status', {}).get('state') for update in updates]

    async def push_delete(self):
        gone = DeleteTaskPushNotificationConfigRequest(task_id=self.pushed, id='hook')
        await self.peer.unary.delete_task_push_notification_config(gone)
        wanted = ListTaskPushNotificationConfigsRequest(task_id=self.pushed)
        listed = await self.peer.unary.list_task_push_notification_configs(wanted)
        expect(len(listed.configs), 0, 'configs left')

    async def extended_card(self):
        # Without this the SDK gives the public card instead of asking.
        expect(self.peer.card.capabilities.extended_agent_card, True, 'offered by the card')
        card = await self.peer.unary.get_extended_agent_card(GetExtendedAgentCardRequest())
        [details] = [dict(extension.params) for extension in card.capabilities.extensions if extension.params]
        expect(details, {'model': 'words'}, 'what only it says')


async def main():
    webhook, peer = Webhook(), Peer()
    operations = Operations(peer, webhook)

    async def card():
        await peer.open()
        await operations.card()

    await run_cells(Report(), card, operations, has_list=True)
    webhook.close()


asyncio.run(main())
