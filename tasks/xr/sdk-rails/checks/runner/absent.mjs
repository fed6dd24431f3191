// Stands for packages that are not installed here.
export {};
