package hosts

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/idumb-dev/idumb/resources/testoutput"
)

// failedOutput returns the text of a tool answer that reports a failure. A
// failure is an MCP answer that is marked as an error, an answer of idumb's
// command tool with a non-zero exit code, or a text that begins with how the
// command ended. For any other answer it returns an empty text.
func failedOutput(e Event, answer json.RawMessage) string {
	if !e.RunsCommand && !bytes.Contains(answer, []byte("isError")) && !bytes.HasPrefix(answer, []byte(`"`+exitLine)) {
		return "" // most answers are not worth parsing twice
	}
	text, failed := answerText(answer)
	if e.RunsCommand {
		ran, _ := ReadObject([]byte(text))
		if code := string(ran["exitCode"]); code != "" && code != "0" {
			return ran.Text("output")
		}
	}
	if code, output, told := strings.Cut(text, "\n"); told && strings.HasPrefix(code, exitLine) && code != exitLine+"0" {
		return output
	}
	if failed {
		return text
	}
	return ""
}

// outputEnd returns the end of a command's output, where programs report how they
// ended.
func outputEnd(printed string) string {
	return strings.ToValidUTF8(printed[max(0, len(printed)-testoutput.MaxRead):], "")
}

// joinTexts joins two texts with a line break.
func joinTexts(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return strings.TrimSuffix(first, "\n") + "\n" + second
}

// exitLine is the beginning of the output of some tools of Codex.
const exitLine = "Exit code: "

// answerText returns the text of a tool's answer, and whether it is marked as an
// error. The answer is a text or the result of an MCP tool.
func answerText(answer json.RawMessage) (text string, failed bool) {
	if len(answer) > 0 && answer[0] == '"' {
		return AsText(answer), false
	}
	result, err := ReadObject(answer)
	if err != nil {
		return "", false
	}
	var parts []string
	for _, item := range Items(result["content"]) {
		if part, err := ReadObject(item); err == nil && part.Text("text") != "" {
			parts = append(parts, part.Text("text"))
		}
	}
	return strings.Join(parts, "\n"), result.Flag("isError")
}
