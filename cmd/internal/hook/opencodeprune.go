package hook

// prunedOutput is a tool's output that is to be left out of what the model is sent.
type prunedOutput struct {
	Call string `json:"call"`
	Note string `json:"note"` // what stands in its place
}

func (h *opencodeHandler) prune() []prunedOutput { return nil }

func (h *opencodeHandler) rememberOutput() {}
