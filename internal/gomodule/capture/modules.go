package capture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// goEnv is the output of "go env".
type goEnv struct{ GOMODCACHE, GOMOD, GOWORK string }

// copyModules copies modules with functions to record from the module cache, and makes the go command
// use the copies.
func (w *workspace) copyModules(ctx context.Context, packages []*rewrittenPackage) error {
	out, err := w.command.Output(ctx, "env", "-json", "GOMODCACHE", "GOMOD", "GOWORK")
	if err != nil {
		return err
	}
	var env goEnv
	if err := json.Unmarshal(out, &env); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	w.copies = map[string]string{}
	var replaced []string
	for _, p := range packages {
		if len(p.sources) == 0 || !below(p.Dir, env.GOMODCACHE) || p.Module == nil {
			continue
		}
		from := p.Module.Folder()
		if w.copies[from] != "" {
			continue
		}
		to, err := keptCopy(from, env.GOMODCACHE)
		if err != nil {
			return fmt.Errorf("copying %s: %w", p.Module.Path, err)
		}
		w.copies[from] = to
		replaced = append(replaced, "-replace="+p.Module.Path+"="+to)
	}
	w.copies[""] = env.GOMODCACHE
	if len(replaced) == 0 {
		return nil
	}
	if env.GOWORK != "" && env.GOWORK != "off" {
		return w.replaceInWork(ctx, env.GOWORK, replaced)
	}
	return w.replaceInModule(ctx, env.GOMOD, replaced)
}

// below reports whether a file is in a folder.
func below(name, folder string) bool {
	inside, err := filepath.Rel(folder, name)
	return err == nil && inside != ".." && !strings.HasPrefix(inside, ".."+string(filepath.Separator))
}

// dirOf returns the folder of a package, and whether the overlay can replace its files.
func (w *workspace) dirOf(p *listed) (dir string, writable bool) {
	if p.Module != nil {
		if from := p.Module.Folder(); w.copies[from] != "" && from != "" {
			inside, err := filepath.Rel(from, p.Dir)
			return filepath.Join(w.copies[from], inside), err == nil
		}
	}
	return p.Dir, !below(p.Dir, w.copies[""])
}

// keptCopy returns a copy of a module in the user's cache folder. It is created once and never
// changed, so packages that the go command compiles from it stay in the build cache. A file beside it
// shows that it is complete.
func keptCopy(from, modcache string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	inside, err := filepath.Rel(modcache, from)
	if err != nil {
		return "", err
	}
	// go work edit reads the text after an @ as a version.
	to := filepath.Join(cache, "diffrun", "modules", strings.ReplaceAll(inside, "@", "-"))
	complete := to + ".complete"
	if _, err := os.Stat(complete); err == nil {
		return to, nil
	}
	if err := copyModule(to, from); err != nil {
		return "", err
	}
	return to, outfile.Write(complete, nil)
}

// copyModule copies all files of a module, because tests may read them.
func copyModule(to, from string) error {
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, inside)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return outfile.Write(target, data)
	})
}

// replaceInModule writes a copy of the user's go.mod with replacements. The tests of a dependency may
// need modules that the user's go.mod does not name, so the go command may add to the copy.
func (w *workspace) replaceInModule(ctx context.Context, users string, replaced []string) error {
	if w.modfile != "" {
		users = w.modfile
	}
	w.modfile = filepath.Join(w.folder, "capture.mod")
	for _, suffix := range []string{".mod", ".sum"} {
		data, err := os.ReadFile(strings.TrimSuffix(users, ".mod") + suffix)
		if errors.Is(err, fs.ErrNotExist) && suffix == ".sum" {
			continue
		}
		if err == nil {
			err = outfile.Write(strings.TrimSuffix(w.modfile, ".mod")+suffix, data)
		}
		if err != nil {
			return err
		}
	}
	if _, err := w.command.Output(ctx, slices.Concat([]string{"mod", "edit"}, replaced, []string{w.modfile})...); err != nil {
		return err
	}
	if !slices.ContainsFunc(w.tests.build, func(word string) bool { return strings.HasPrefix(strings.TrimLeft(word, "-"), "mod") }) {
		w.tests.build = append(w.tests.build, "-mod=mod")
	}
	return nil
}

// replaceInWork writes a copy of the user's go.work with replacements.
func (w *workspace) replaceInWork(ctx context.Context, users string, replaced []string) error {
	data, err := os.ReadFile(users)
	if err != nil {
		return err
	}
	ours := filepath.Join(w.folder, "go.work")
	if err := outfile.Write(ours, data); err != nil {
		return err
	}
	out, err := w.command.Output(ctx, "work", "edit", "-json", users)
	if err != nil {
		return err
	}
	var work struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(out, &work); err != nil {
		return fmt.Errorf("%s: %w", users, err)
	}
	edits := []string{"work", "edit"}
	for _, use := range work.Use {
		if !filepath.IsAbs(use.DiskPath) {
			edits = append(edits, "-dropuse="+use.DiskPath, "-use="+filepath.Join(filepath.Dir(users), use.DiskPath))
		}
	}
	if _, err := w.command.Output(ctx, slices.Concat(edits, replaced, []string{ours})...); err != nil {
		return err
	}
	if sums, err := os.ReadFile(users + ".sum"); err == nil {
		if err := outfile.Write(ours+".sum", sums); err != nil {
			return err
		}
	}
	w.command.Env = append(slices.Clone(w.command.Env), "GOWORK="+ours)
	return nil
}
