package main

import (
	"fmt"
	"strings"
	"time"
)

func anchors(s *scene) {
	s.plan("a", "b")
	s.file("src/a.go", "package a\n")
	s.sh(`idumb create anchor code --content 'The limit is 3' --file src/a.go --task a; idumb create anchor choice --type decision --content 'Tokens are opaque' --task a
		idumb create anchor note --content 'b is slow' --task b; idumb create mem m --content x`)
	s.writeObject("anchors/near", `{"content": "next to it", "relatedTo": ["code", "mem/m", "task/a"]}`)
	s.is("anchor/code", ".status.phase", "fresh")
	s.file("src/a.go", "package a // changed\n")
	s.is("anchor/code", ".status.phase", "stale")
	s.is("anchor/code", ".status.conditions[0].reason", "SourceFileChanged")
	s.sh(`idumb start b; idumb complete b --evidence seen; idumb start a; idumb complete a --evidence seen`)
	s.is("anchor/note", ".status.phase", "stale")
	s.is("anchor/choice", ".status.phase", "fresh")
	s.refused(`idumb patch anchor near -p '{"spec":{"relatedTo":["missing"]}}'`, "Not found")
	s.lacks(s.sh(`idumb context`), "The limit is 3", "b is slow")
	s.sh(`idumb archive anchor/code`)
	if !s.exists(".idumb/archive/anchors/code.json") {
		s.failed("an anchor that is set aside stays on disk")
	}
	a := s.claude("s1")
	a.does("anchor", map[string]any{"action": "update", "name": "choice", "content": "Tokens are signed"})
	s.is("anchor/choice", ".spec.content", "Tokens are signed")
	a.does("anchor", map[string]any{"action": "remove", "name": "choice"})
	s.refused(`idumb get anchor choice`, "not found")
	s.saw("related to tasks, files and mems; stale when the file changes or the task ends (a decision stays), out of the context, kept in the archive")
}

func brain(s *scene) {
	s.sh(`idumb mem save auth --content 'How auth works' --type architecture --shelf web
		idumb mem save tokens --content 'Tokens are opaque' --type architecture --shelf web --parent auth
		idumb mem save cookies --content 'Cookies are httpOnly' --shelf web; idumb mem link cookies tokens
		idumb mem save tokens2 --supersedes tokens --content 'Tokens are signed' --parent auth --shelf web --reason audit`)
	s.want(s.sh(`idumb mem tree --ascii`), "shelf web", "architecture", "mem/auth", "mem/tokens2")
	found := s.sh(`idumb mem recall auth`)
	s.want(found, "mem.idumb.dev/auth")
	s.want(s.sh(`idumb mem recall -o name signed tokens`), "mem.idumb.dev/tokens2\nmem.idumb.dev/auth") // by its relation: no word of the question is in it
	s.lacks(s.sh(`idumb mem recall tokens -o name`), "mem.idumb.dev/tokens\n")
	s.is("mem/tokens", ".status.phase", "superseded")
	before := s.field("mem/tokens2", ".status.accessCount")
	s.sh(`idumb mem recall signed`)
	if now := s.field("mem/tokens2", ".status.accessCount"); now == before || now == "" {
		s.failed("an access is counted; it was %q and is %q", before, now)
	}
	const day = 24 * time.Hour
	s.dated("mems/old", `{"content": "something old"}`, 100*day)
	s.is("mem/old", ".status.confidence", "80") // it fades over days on which there was work
	var commits strings.Builder
	for i := range 60 {
		at := ago(time.Duration(60-i) * day)
		fmt.Fprintf(&commits, "GIT_COMMITTER_DATE=%s git commit -q --allow-empty -m 'day %d' --date=%s\n", at, i, at)
	}
	s.sh(commits.String())
	if left := s.field("mem/old", ".status.confidence"); left >= "80" || len(left) != 2 {
		s.failed("60 days of work later less than 80 of a mem's confidence is left; it is %q", left)
	}
	s.dated("mems/older", `{"content": "older still", "staleAfter": "72h"}`, 100*time.Hour)
	s.want(s.sh(`idumb mem stale -o name`), "mem.idumb.dev/older")
	s.lacks(s.sh(`idumb mem stale -o name`), "cookies")
	s.sh(`idumb mem confirm older`)
	s.lacks(s.sh(`idumb mem stale -o name`), "older")
	s.sh(`idumb mem purge cookies --reason 'cookies are no longer used'`)
	s.is("mem/cookies", ".status.phase", "purged")
	s.lacks(s.sh(`idumb mem recall -o name tokens signed cookies`), "/cookies")
	s.saw("a hierarchy of typed mems: recall follows relations to mems without a common word and omits superseded and purged mems, confidence fades with 60 days of work, accesses are counted, stale mems are listed")
}

func fedBrain(s *scene) {
	s.plan("build")
	s.sh(`git add -A; git commit -qm 'first'`)
	s.controller()
	s.sh(`idumb start build; idumb complete build --evidence 'the form posts to /login'
		idumb create anchor opaque --type decision --content 'Tokens are opaque'
		git commit -q --allow-empty -m 'auth: sign tokens

decision: tokens are signed with ed25519'`)
	for _, fed := range []string{"posts to /login", "Tokens are opaque", "ed25519"} {
		s.eventually("a mem says "+fed, func() bool { return strings.Contains(s.sh(`idumb get mems -o json`), fed) })
	}
	sources := s.sh(`idumb get mems -o jsonpath='{.items[*].spec.source}'`)
	s.want(sources, "task/build", "anchor/opaque", "commit/")
	s.want(s.sh(`idumb mem recall -o name signed with which curve ed25519`), "mem.idumb.dev/mem-")
	s.saw("mems of a completed task, a decision anchor and a commit message were created automatically: %s", sources)
}

func timeToStale(s *scene) {
	s.plan("a")
	s.is("config/config", ".spec.anchorStaleAfter", "48h")
	s.want(s.sh(`idumb explain config.spec.anchorStaleAfter; idumb explain config.spec.sessionStaleAfter; idumb explain config.spec.purgeAfter`), "48h")
	s.dated("anchors/an", `{"content": "x"}`, 49*time.Hour)
	s.is("anchor/an", ".status.phase", "stale")
	s.sh(`idumb annotate anchor an idumb.dev/validated-at=` + ago(0) + ` --overwrite`)
	s.is("anchor/an", ".status.phase", "fresh")
	s.dated("mems/me", `{"content": "x", "staleAfter": "48h"}`, 49*time.Hour)
	s.is("mem/me", ".status.phase", "stale")
	s.sh(`idumb annotate mem me idumb.dev/validated-at=` + ago(0) + ` --overwrite`)
	s.is("mem/me", ".status.phase", "fresh")
	s.writeObject("sessions/old", `{"host": "claude", "startedAt": "`+ago(50*time.Hour)+`", "lastSeenAt": "`+ago(49*time.Hour)+`"}`)
	s.is("session/old", ".status.phase", "stale")
	s.dated("tasks/slow", `{"workPlan": "p", "expectedOutput": "x", "state": "active", "staleAfter": "48h"}`, 49*time.Hour)
	s.file(".idumb/checkpoints/slow.jsonl", `{"time":"`+ago(49*time.Hour)+`","tool":"write","filesModified":["a.go"]}`+"\n")
	s.sh(`touch -d '49 hours ago' .idumb/tasks/slow.json`)
	s.is("task/slow", `.status.conditions[?(@.type=="Stale")].status`, "True")
	s.dated("workplans/slow", `{"title": "Slow", "state": "active"}`, 72*time.Hour)
	s.sh(`touch -d '72 hours ago' .idumb/workplans/slow.json`)
	s.dated("anchors/an", `{"content": "x"}`, 49*time.Hour)
	s.want(s.sh(`idumb review`), "workplan/slow", "anchor/an")
	s.sh(`idumb validate workplan/slow anchor/an`)
	s.lacks(s.sh(`idumb review`), "workplan/slow", "anchor/an")
	s.saw("anchors, mems, sessions and tasks are stale after 48 h; validated-at makes anchors and mems fresh again")
}
