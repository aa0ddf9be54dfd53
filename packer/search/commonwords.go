package search

// isCommonplace reports whether a term is frequent in prompts and in the output of tools, whatever
// the subject. In a small set of documents such a term would count as rare.
func isCommonplace(term string) bool {
	switch term {
	case "add", "answer", "app", "ask", "bad", "better", "bug", "build", "call", "case", "chang", "check", "class", "clean", "code", "commit", "complet", "config", "correct", "creat", "current",
		"delet", "depend", "describ", "detail", "differ", "document", "done", "edit", "everyth", "exampl", "exist", "expect", "explain", "file", "find", "first", "fix", "follow", "function",
		"get", "give", "go", "good", "handl", "help", "implement", "import", "improv", "instal", "issu", "keep", "know", "last", "like", "line", "list", "log", "look", "make", "merg", "mode", "modul", "move",
		"name", "need", "new", "next", "number", "old", "open", "output", "pass", "path", "plan", "pleas", "point", "problem", "project", "pull", "push",
		"read", "readm", "refactor", "releas", "remov", "renam", "repositori", "request", "result", "review", "right", "run", "save", "see", "set", "show", "simpl", "start", "state", "still", "stop", "sure",
		"take", "task", "tell", "test", "text", "thing", "think", "time", "try", "turn", "two", "type", "undo", "updat", "user", "valu", "variabl", "version", "want", "way", "work", "write",
		"argument", "cannot", "command", "crash", "directori", "error", "exception", "exit", "fail", "failur", "fatal", "invalid", "main", "messag", "miss", "nil", "null", "process", "return", "statu", "succeed", "undefin", "unexpect", "unknown", "warn", "wrong":
		return true
	}
	return false
}
