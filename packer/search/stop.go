package search

// isStopWord reports whether w is a word without a subject. In a small set of documents, BM25
// would count a stop word of a single document as rare.
func isStopWord(w string) bool {
	switch w {
	case "a", "about", "above", "after", "again", "against", "all", "am", "an", "and", "any", "are", "aren't", "as", "at",
		"be", "because", "been", "before", "being", "below", "between", "both", "but", "by",
		"can", "can't", "cannot", "could", "couldn't", "did", "didn't", "do", "does", "doesn't", "doing", "don't", "down", "during",
		"each", "few", "for", "from", "further", "had", "hadn't", "has", "hasn't", "have", "haven't", "having", "he", "her", "here", "hers", "herself", "him", "himself", "his", "how",
		"i", "i'd", "i'll", "i'm", "i've", "if", "in", "instead", "into", "is", "isn't", "it", "it's", "its", "itself", "just",
		"let", "let's", "me", "more", "most", "must", "mustn't", "my", "myself", "no", "nor", "not", "of", "off", "on", "once", "only", "or", "other", "our", "ours", "out", "over", "own",
		"same", "she", "should", "shouldn't", "so", "some", "such", "than", "that", "that's", "the", "their", "theirs", "them", "themselves", "then", "there", "these", "they",
		"this", "those", "through", "to", "too", "under", "until", "up", "us", "use", "used", "using", "very", "via",
		"was", "wasn't", "we", "we're", "we've", "were", "weren't", "what", "what's", "when", "where", "which", "while", "who", "who's", "whom", "why", "will", "with", "won't", "would", "wouldn't",
		"yes", "you", "you'd", "you'll", "you're", "you've", "your", "yours", "yourself",
		"avoid", "may", "might", "shall", "also", "ever", "s", "t":
		return true
	}
	return false
}

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
