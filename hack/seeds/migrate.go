package main

import "strings"

// oldTasks is a tasks.json of version 2 of iDumb: epics with tasks with subtasks.
const oldTasks = `{"version":"2.0.0","activeEpicId":"epic-1","epics":[{"id":"epic-1","name":"Passkeys","status":"active","category":"development","createdAt":1770000000000,"tasks":[
 {"id":"task-1","epicId":"epic-1","name":"Table","status":"completed","evidence":"ran","createdAt":1770000000000,"subtasks":[{"id":"sub-1","taskId":"task-1","name":"Index","status":"pending","timestamp":1770000000000}]},
 {"id":"task-2","epicId":"epic-1","name":"Form","status":"planned","createdAt":1770000000000,"subtasks":[]}]}]}`

func migrateTasks(s *scene) {
	s.file(".idumb/brain/tasks.json", oldTasks)
	s.want(s.refusedOrNot(`idumb doctor`), "idumb migrate")
	s.want(s.sh(`idumb migrate --dry-run`), "Dry run: nothing was written", "1 workplan, 3 tasks")
	if s.exists(".idumb/tasks/task-1.json") || s.exists(".idumb/brain/*.bak") {
		s.failed("a dry run writes nothing")
	}
	s.want(s.sh(`idumb migrate`), "1 workplan, 3 tasks")
	s.wantSame("the backup", s.readFile(".idumb/brain/tasks.json.bak"), oldTasks)
	s.is("workplan/epic-1", ".spec.title", "Passkeys")
	s.is("task/task-1", ".status.phase", "completed")
	s.is("task/sub-1", ".spec.parent", "task-1")
	s.want(s.sh(`idumb migrate`), "Nothing to migrate")
	s.saw("an epic with tasks and subtasks became a plan with tasks and parts, the file is backed up byte for byte; --dry-run stands for the feature flag")
}

// refusedOrNot runs a script with any result.
func (s *scene) refusedOrNot(script string) string {
	out, _ := s.run(script)
	return out
}

// hive contains the files of HiveMind: flat files and its graph.
var hive = map[string]string{
	"memory/mems.json":   `{"version":"1.0.0","mems":[{"id":"m1","shelf":"decisions","content":"From the flat file","tags":["old"],"created_at":1771000000000,"session_id":"s"}]}`,
	"graph/mems.json":    `{"version":"1.0.0","mems":[{"id":"m2","origin_task_id":null,"shelf":"mistakes","type":"false_path","content":"AVOID embeddings BECAUSE they need a download INSTEAD weigh fields","created_at":"2026-02-25T13:00:00.000Z","staleness_stamp":"2026-02-28T13:00:00.000Z"}]}`,
	"state/anchors.json": `{"version":"1.0.0","anchors":[{"key":"DB_SCHEMA","value":"three tables","created_at":1771000000000,"session_id":"s"}]}`,
	"state/tasks.json":   `{"version":1,"tasks":[{"id":"t1","text":"Build the form","status":"pending","created_at":1771000000000}]}`,
}

func migrateHive(s *scene) {
	for name, data := range hive {
		s.file(".hivemind/"+name, data)
	}
	s.want(s.sh(`idumb migrate`), "created")
	s.is("mem/m1", ".spec.staleAfter", "72h")
	s.is("mem/m1", ".status.phase", "fresh")
	s.want(s.sh(`d=$(mktemp -d); cp -r . "$d"; cd "$d"; rm -rf .idumb; idumb init --agent none; idumb migrate --strict >/dev/null; idumb get mem m1; rm -rf "$d"`), "stale")
	s.is("mem/m2", ".spec.type", "false_path")
	s.want(s.sh(`idumb get anchors,tasks -o json`), "three tables", "Build the form")
	for name, data := range hive {
		s.wantSame(name, s.readFile(".hivemind/"+name), data)
	}
	s.wantSame("a backup", s.readFile(".hivemind/graph/mems.json.bak"), hive["graph/mems.json"])
	s.want(s.sh(`idumb migrate`), "unchanged")
	s.file(".hivemind/memory/mems.json", strings.Replace(hive["memory/mems.json"], `[{"id":"m1"`, `[{"id":"m3","shelf":"decisions","content":"A later fact","created_at":1771000000000},{"id":"m1"`, 1))
	s.want(s.sh(`idumb migrate`), "1 mem created")
	s.is("mem/m3", ".spec.content", "A later fact")
	s.saw("flat files and graph became objects, stale 72h after the migration, with --strict after they were made; HiveMind's files stay with backups, and its later entries are imported")
}

// commandSurface maps each command of HiveMind to its equivalent in iDumb.
func commandSurface(s *scene) {
	s.plan("a")
	s.claude("s1").event("SessionStart", map[string]any{"source": "startup"})
	for old, here := range map[string]string{
		"session status":   `idumb get sessions | grep s1; idumb top sessions | grep s1`,
		"session list":     `idumb session list | grep s1`,
		"session export":   `idumb session note --session s1 'continue with the form'; idumb session export s1; idumb session show s1 | grep 'continue with the form'`,
		"inspect scan":     `idumb status | grep 'The plan'`,
		"inspect deep":     `idumb describe workplan p | grep 'it works'`,
		"inspect drift":    `idumb top sessions -o json | grep '"drift": 0'`,
		"memory save":      `idumb mem save tokens --content 'Tokens are opaque' --shelf web`,
		"anchor save":      `idumb create anchor choice --content 'Postgres' --priority critical`,
		"anchor list":      `idumb create anchor other --content 'x'; idumb get anchors | grep other`,
		"hierarchy prune":  `idumb create task gone --plan p --expect x; idumb archive task/gone | grep archived`,
		"hierarchy status": `idumb tree | grep 'workplan/p'`,
		"hierarchy old":    `idumb migrate hivemind | grep 'Nothing to migrate'`,
	} {
		if out, ok := s.run(here); !ok {
			s.failed("what hivemind did with %q is done by %q; it printed %q", old, here, out)
		}
	}
	s.want(s.sh(`idumb mem recall opaque`), "mem.idumb.dev/tokens")
	s.want(s.sh(`idumb get mems; idumb mem tree`), "tokens", "shelf web")
	s.want(s.sh(`idumb get anchor choice -o jsonpath='{.spec.content}'`), "Postgres")
	s.saw("what hivemind_session, inspect, memory, anchor and hierarchy did is done by get, top, status, describe, mem, create, archive, tree and migrate")
}
