//go:build !slim

package main

import "github.com/diffrun/diffrun/internal/files/kustomization/render"

// kustomize renders the kustomization of a folder.
func kustomize(folder string) ([]byte, error) { return render.Folder(folder) }
