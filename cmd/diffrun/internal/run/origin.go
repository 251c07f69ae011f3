package run

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/diffrun/diffrun/reports/record"
)

// gitTimeout limits how long a run waits for git to describe the repository.
const gitTimeout = 2 * time.Second

// newOrigin returns where a run of the working directory comes from: what CI says in its environment,
// and otherwise what git says.
func newOrigin(ctx context.Context, now time.Time, sourceURL string) record.Origin {
	origin := ciOrigin(os.LookupEnv)
	origin.Started = now.UTC().Truncate(time.Second)
	if sourceURL != "" {
		origin.SourceURL = sourceURL
	}
	if origin.Commit == "" {
		origin.Commit, origin.Modified = gitCommit(ctx)
	}
	return origin
}

// joinOrigins returns the origin of two shards of one run. Shards of several commits have none.
func joinOrigins(a, b record.Origin) record.Origin {
	if b.Started.Before(a.Started) {
		a.Started = b.Started
	}
	a.Modified = a.Modified || b.Modified
	if a.Commit != b.Commit {
		a.Commit, a.Modified = "", false
	}
	return a
}

// ciOrigin reads the environment variables of GitHub Actions, GitLab CI and Prow.
func ciOrigin(lookup func(string) (string, bool)) record.Origin {
	get := func(name string) string { value, _ := lookup(name); return value }
	switch {
	case get("GITHUB_ACTIONS") == "true":
		repository := get("GITHUB_SERVER_URL") + "/" + get("GITHUB_REPOSITORY")
		return record.Origin{
			Commit:    get("GITHUB_SHA"),
			SourceURL: repository + "/blob/" + get("GITHUB_SHA") + "/" + fromRoot(get("GITHUB_WORKSPACE")) + "{file}#L{line}",
			RunURL:    repository + "/actions/runs/" + get("GITHUB_RUN_ID"),
		}
	case get("GITLAB_CI") == "true":
		return record.Origin{
			Commit:    get("CI_COMMIT_SHA"),
			SourceURL: get("CI_PROJECT_URL") + "/-/blob/" + get("CI_COMMIT_SHA") + "/" + fromRoot(get("CI_PROJECT_DIR")) + "{file}#L{line}",
			RunURL:    get("CI_JOB_URL"),
		}
	case get("PROW_JOB_ID") != "" && get("REPO_OWNER") != "":
		commit := get("PULL_PULL_SHA")
		if commit == "" {
			commit = get("PULL_BASE_SHA")
		}
		return record.Origin{
			Commit:    commit,
			SourceURL: fmt.Sprintf("https://github.com/%s/%s/blob/%s/{file}#L{line}", get("REPO_OWNER"), get("REPO_NAME"), commit),
		}
	}
	return record.Origin{}
}

// fromRoot returns the path of the working directory below the root of a repository, with a slash at
// its end, or "" if it is the root or elsewhere.
func fromRoot(root string) string {
	here, err := os.Getwd()
	if err != nil || root == "" {
		return ""
	}
	path, err := filepath.Rel(root, here)
	if err != nil || path == "." || !filepath.IsLocal(path) {
		return ""
	}
	return filepath.ToSlash(path) + "/"
}

// gitCommit returns the commit of the working directory, and whether tracked files differ from it. It
// returns "" if git does not know it.
func gitCommit(ctx context.Context) (commit string, modified bool) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "--no-optional-locks", "status", "--porcelain=v2", "--branch",
		"--untracked-files=no", "--ignore-submodules").Output()
	if err != nil {
		return "", false
	}
	for line := range bytes.Lines(out) {
		text := strings.TrimSpace(string(line))
		if oid, isCommit := strings.CutPrefix(text, "# branch.oid "); isCommit && oid != "(initial)" {
			commit = oid
		}
		modified = modified || text != "" && !strings.HasPrefix(text, "#")
	}
	return commit, modified && commit != ""
}

// checkSourceURL returns the mistake in the value of --source-url, or nil.
func checkSourceURL(text string) error {
	if text == "" {
		return nil
	}
	parsed, err := url.Parse(strings.NewReplacer("{file}", "file", "{line}", "1").Replace(text))
	if err != nil || parsed.Scheme != "https" && parsed.Scheme != "http" || parsed.Host == "" || !strings.Contains(text, "{file}") {
		return fmt.Errorf("--source-url %q: must be the URL of a file with {file} and {line} in it, such as https://github.com/"+
			"OWNER/NAME/blob/COMMIT/{file}#L{line}", text)
	}
	return nil
}
